/** Lakeland Rail: a timetable whose prices have supplements, and a long table of stations with notes. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { choice, pageNumber, pager } from '../../../shared/controls.ts';
import { type Brand, type Content, page } from '../layout.ts';
import { defineSite, type Site, type Visit, type VisitorState } from '../site.ts';
import { clock, DAYS, euros, makeRailway, type Railway, type Train, trainsBetween } from './data.ts';

const BRAND: Brand = {
  name: 'Lakeland Rail',
  motto: 'From the coast to the moor',
  look: 'rail',
  links: [
    ['/', 'Timetable'],
    ['/stations', 'Stations'],
    ['/bicycles', 'Bicycles'],
    ['/seats', 'Seats'],
  ],
  footer: 'Prices are for one adult and one journey.',
};

type RailVisit = Visit<VisitorState>;
const PER_PAGE = 24;

export function rail(): Site {
  const railway = makeRailway();
  return defineSite<VisitorState>({
    host: 'rail.waymark.test',
    newState: () => ({}),
    routes: {
      'GET /': (visit) => searchPage(visit, railway),
      'GET /journeys': (visit) => journeysPage(visit, railway),
      'GET /journeys/:id': (visit) => trainPage(visit, railway),
      'GET /stations': (visit) => stationsPage(visit, railway),
      'GET /bicycles': (visit) =>
        railPage(visit, {
          title: 'Bicycles',
          body: html`<h1>Bicycles</h1><p>A bicycle needs a supplement, which differs from train to train. Some trains take none. The page of a train says which.</p>`,
        }),
      'GET /seats': (visit) =>
        railPage(visit, {
          title: 'Seats',
          body: html`<h1>Seats</h1><p>On some trains a seat must be booked. Its price is not part of the fare that the timetable shows; the page of the train names it.</p>`,
        }),
    },
    notFound,
  });
}

const railPage = (visit: RailVisit, content: Content): Reply => page(BRAND, visit, content);

const notFound = (visit: RailVisit): Reply =>
  railPage(visit, {
    title: 'Not found',
    status: 404,
    body: html`<h1>No train stops here</h1><p>Begin at the <a href="/">timetable</a>.</p>`,
  });

function searchForm({ query }: RailVisit, { served }: Railway): Html {
  const value = (name: string): string => query.get(name) ?? '';
  return html`<form class="row" action="/journeys" aria-label="Journey">
${choice({ id: 'from', label: 'From', empty: 'Choose…' }, served, value('from'))}${choice({ id: 'to', label: 'To', empty: 'Choose…' }, served, value('to'))}${choice({ id: 'day', label: 'Day', empty: 'Choose…' }, DAYS, value('day'))}
<div class="field"><button class="primary" id="find">Find trains</button></div></form>`;
}

function searchPage(visit: RailVisit, railway: Railway): Reply {
  return railPage(visit, { title: 'Timetable', body: html`<h1>Where to?</h1>${searchForm(visit, railway)}` });
}

function journeysPage(visit: RailVisit, railway: Railway): Reply {
  const [from, to, day] = ['from', 'to', 'day'].map((name) => visit.query.get(name) ?? '') as [string, string, string];
  const isWhole = railway.served.includes(from) && railway.served.includes(to) && DAYS.includes(day) && from !== to;
  if (!isWhole) {
    return railPage(visit, {
      title: 'Timetable',
      status: 422,
      body: html`<h1>Where to?</h1><p class="problem" role="alert">Choose two different stations and a day.</p>${searchForm(visit, railway)}`,
    });
  }
  return railPage(visit, {
    title: `${from} to ${to}`,
    body: html`<h1>${from} to ${to}, ${day}</h1>${searchForm(visit, railway)}<div class="scroll"><table><thead><tr><th>Departs</th><th>Arrives</th><th class="number">Changes</th><th class="number">Fare from</th><th>Train</th></tr></thead><tbody>${trainsBetween(
      from,
      to,
      day,
    ).map(
      (train) =>
        html`<tr><td>${clock(train.departs)}</td><td>${clock(train.arrives)}</td><td class="number">${train.changes}</td><td class="number">${euros(train.cents)}</td><td><a href="/journeys/${train.id}">${train.number}</a></td></tr>`,
    )}</tbody></table></div><p class="dim">Supplements for seats and bicycles are on the page of each train.</p>`,
  });
}

function trainOf(id: string, { served }: Railway): Train | undefined {
  const [from, to, day] = id.split('-');
  const name = (part: string | undefined): string => served.find((one) => one.toLowerCase() === part) ?? '';
  return trainsBetween(name(from), name(to), DAYS.find((one) => one.toLowerCase() === day) ?? '').find(
    (train) => train.id === id,
  );
}

function trainPage(visit: RailVisit, railway: Railway): Reply {
  const train = trainOf(visit.params['id'] ?? '', railway);
  if (!train) return notFound(visit);
  const back = new URLSearchParams({ from: train.from, to: train.to, day: train.day });
  return railPage(visit, {
    title: train.number,
    body: html`<h1>${train.number}: ${train.from} to ${train.to}</h1><dl class="pairs"><dt>Day</dt><dd>${train.day}</dd><dt>Departs</dt><dd>${clock(train.departs)}</dd><dt>Arrives</dt><dd>${clock(train.arrives)}</dd><dt>Changes</dt><dd>${train.changes}</dd>
<dt>Fare</dt><dd id="fare">${euros(train.cents)}</dd><dt>Seat</dt><dd id="seat">${train.seat === 0 ? 'need not be booked' : `must be booked: ${euros(train.seat)}`}</dd><dt>Bicycle</dt><dd id="bicycle">${train.bicycle === undefined ? 'not taken on this train' : `supplement ${euros(train.bicycle)}`}</dd></dl>
<p><a href="/journeys?${back.toString()}">All trains of this day</a></p>`,
  });
}

function stationsPage(visit: RailVisit, { stations }: Railway): Reply {
  const pages = Math.ceil(stations.length / PER_PAGE);
  const current = pageNumber(visit.query, pages);
  const shown = stations.slice((current - 1) * PER_PAGE, current * PER_PAGE);
  const noted = shown.filter(({ revised }) => revised !== undefined);
  const number = (value: number): string => value.toLocaleString('en-GB');
  return railPage(visit, {
    title: 'Stations',
    body: html`<h1>Stations</h1><p>${stations.length} stations by name, page ${current} of ${pages}.</p><div class="scroll"><table id="stations"><thead><tr><th>Station</th><th>Region</th><th class="number">Platforms</th><th class="number">Passengers a day</th></tr></thead><tbody>${shown.map(
      (station) =>
        html`<tr><td>${station.name}</td><td>${station.region}</td><td class="number">${station.platforms}</td><td class="number">${number(station.passengers)}${
          station.revised === undefined ? '' : html`<sup>${noted.indexOf(station) + 1}</sup>`
        }</td></tr>`,
    )}</tbody></table></div>
<h2>Notes</h2><ol id="notes">${noted.map(({ name, revised = 0 }) => html`<li>${name}: counted again, ${number(revised)} passengers a day.</li>`)}</ol>
${pager(current, pages, (other) => `/stations?page=${other}`)}`,
  });
}
