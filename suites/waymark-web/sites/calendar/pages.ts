/** The pages of the calendar: weeks, events, invitations, a form that refuses conflicts of rooms. */
import { type Html, html, trusted } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { choice, foundLine, textField } from '../../../shared/controls.ts';
import { type Brand, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import {
  type CalendarData,
  clock,
  dayAfter,
  type Event,
  eventsOn,
  makeCalendar,
  minutesOf,
  overlap,
  ROOMS,
  TODAY,
  ZONES,
} from './data.ts';
import { hoursOf, lanesOf } from './lanes.ts';

const BRAND: Brand = {
  name: 'Almanac',
  about: 'a calendar for the whole office',
  look: 'calendar',
  links: [
    ['/', 'This week'],
    ['/new', 'New event'],
    ['/invitations', 'Invitations'],
  ],
  search: { path: '/search', label: 'Search events' },
};
type CalendarHandler = Handler<CalendarData>;
const missing = notFound(BRAND);
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const TIMES = Array.from({ length: 96 }, (_, index) => clock(index * 15));
const LAST_WEEK = dayAfter(TODAY, 21);

/** The Mondays of four weeks have pages. */
function mondayOf(given: string | null): string {
  const mondays = [0, 7, 14, 21].map((days) => dayAfter(TODAY, days));
  return mondays.find((monday) => monday === given) ?? TODAY;
}

const week: CalendarHandler = (visit) => {
  const monday = mondayOf(visit.query.get('week'));
  const dates = DAYS.map((_, index) => dayAfter(monday, index));
  const { first, last } = hoursOf(dates.flatMap((date) => eventsOn(visit.data, date).map(([, event]) => event)));
  const day = (name: string, index: number): Html => {
    const date = dates[index] ?? monday;
    const events = eventsOn(visit.data, date);
    const lanes = lanesOf(events.map(([, event]) => event));
    const box = ([id, { title, start, end }]: (typeof events)[number], number: number): Html => {
      const { lane, lanes: all } = lanes[number] ?? { lane: 0, lanes: 1 };
      const from = minutesOf(start) / 60 - first;
      const style = `--from: ${from}; --length: ${minutesOf(end) / 60 - first - from}; --lane: ${lane}; --lanes: ${all}`;
      return html`<a class="event" style="${style}" href="/events/${id}?day=${date}"><strong>${start}–${end}</strong><br>${title}</a>`;
    };
    return html`<section class="day" aria-label="${name} ${date}"><h2>${name} <span class="dim">${date.slice(8)}.${date.slice(5, 7)}.</span></h2><div class="hours">${events.map(box)}</div></section>`;
  };
  const hours = Array.from({ length: last - first }, (_, index) => clock((first + index) * 60));
  return page(BRAND, visit, {
    title: `Week of ${monday}`,
    body: html`<h1>Week of ${monday}</h1><p class="row">${monday > TODAY ? html`<a class="button" id="earlier" href="/?week=${dayAfter(monday, -7)}">Week before</a>` : ''}${monday < LAST_WEEK ? html`<a class="button" id="later" href="/?week=${dayAfter(monday, 7)}">Next week</a>` : ''}<span class="dim">Times are those of Berlin.</span></p>
<div class="week" style="--hours: ${String(hours.length)}"><div class="clock" aria-hidden="true">${hours.map((hour) => html`<span>${hour}</span>`)}</div>${DAYS.map(day)}</div>`,
  });
};

const results: CalendarHandler = (visit) => {
  const text = (visit.query.get('q') ?? '').trim().toLowerCase();
  const all = Object.entries(visit.data.events).filter(
    ([, { title }]) => text !== '' && title.toLowerCase().includes(text),
  );
  return page(BRAND, visit, {
    title: 'Search',
    body: html`<h1>Search</h1>${foundLine(all.length, 'event')}<ul class="list">${all.map(([id, { title, day, isWeekly }]) => html`<li><a href="/events/${id}?day=${day}">${title}</a> <span class="dim">${isWeekly ? `every week from ${day}` : day}</span></li>`)}</ul>`,
  });
};

const eventPage: CalendarHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.events[id];
  if (!one) return missing(visit);
  const day = visit.query.get('day') ?? one.day;
  const zone = visit.query.get('zone') ?? 'Berlin';
  const shift = (time: string): string => clock(minutesOf(time) + (ZONES[zone] ?? 0) * 60);
  const button = (path: string, elementId: string, label: string, danger = false): Html =>
    html`<form method="post" action="/events/${id}/${path}"><input type="hidden" name="day" value="${day}"><button id="${elementId}"${danger ? trusted(' class="danger"') : ''}>${label}</button></form>`;
  return page(BRAND, visit, {
    title: one.title,
    body: html`<h1>${one.title}</h1><dl class="pairs"><dt>Day</dt><dd id="day">${day}</dd><dt>Time</dt><dd id="time">${shift(one.start)}–${shift(one.end)} (${zone})</dd><dt>Room</dt><dd>${one.room || 'none'}</dd>${one.isWeekly ? html`<dt>Repeats</dt><dd id="repeats">every week${one.skips.length > 0 ? `, not on ${one.skips.join(', ')}` : ''}</dd>` : ''}</dl>
<form class="row" action="/events/${id}"><input type="hidden" name="day" value="${day}">${choice({ id: 'zone', label: 'Show the time of' }, Object.keys(ZONES), zone)}<button id="show-zone">Show</button></form>
<div class="row"><a class="button primary" id="change" href="/events/${id}/edit">Change</a>${one.isWeekly ? html`${button('skip', 'skip', 'Cancel this day')}${button('delete', 'delete-series', 'Cancel series', true)}` : button('delete', 'delete', 'Delete', true)}</div>`,
  });
};

function eventForm(visit: Visit<CalendarData>, action: string, values: URLSearchParams, problem?: string): Reply {
  const value = (name: string): string => values.get(name) ?? '';
  return page(BRAND, visit, {
    title: 'Event',
    status: problem === undefined ? 200 : 422,
    body: html`<h1>${action === '/new' ? 'New event' : 'Change event'}</h1>${problem === undefined ? '' : html`<p class="error" id="problem">${problem}</p>`}<form class="stack" method="post" action="${action}">
${textField({ id: 'title', label: 'Title' }, value('title'))}${textField({ id: 'day', label: 'Day', hint: 'As 2026-05-31' }, value('day'))}${choice({ id: 'start', label: 'From' }, TIMES, value('start') || '09:00')}${choice({ id: 'end', label: 'Until' }, TIMES, value('end') || '10:00')}${choice({ id: 'room', label: 'Room', empty: 'none' }, ROOMS, value('room'))}<button class="primary" id="save">Save</button></form>`,
  });
}

/** A sentence on why the event can't be there. */
function problemOf(
  data: CalendarData,
  { title, day, start, end, room }: Pick<Event, 'title' | 'day' | 'start' | 'end' | 'room'>,
  own: string,
): string | undefined {
  if (title === '') return 'An event needs a title.';
  if (!/^2026-05-\d\d$/.test(day)) return 'The day must be one of May 2026, such as 2026-05-31.';
  if (start >= end) return 'An event ends after it begins.';
  const other = eventsOn(data, day).find(
    ([id, event]) => id !== own && room !== '' && event.room === room && overlap(event, { start, end }),
  );
  return other
    ? `The room ${room} is taken by “${other[1].title}” from ${other[1].start} to ${other[1].end}.`
    : undefined;
}

function entered(form: URLSearchParams) {
  const field = (name: string): string => (form.get(name) ?? '').trim();
  const room = ROOMS.find((each) => each === field('room')) ?? '';
  return { title: field('title'), day: field('day'), start: field('start'), end: field('end'), room };
}

const newForm: CalendarHandler = (visit) => eventForm(visit, '/new', visit.query);

const create: CalendarHandler = (visit) => {
  const { data, form, views } = visit;
  const given = entered(form);
  const problem = problemOf(data, given, '');
  if (problem !== undefined) return eventForm(visit, '/new', form, problem);
  const id = nextEvent(data);
  data.events[id] = { ...given, isWeekly: false, skips: [] };
  views.notice = `${given.title} is in your calendar.`;
  return seeOther(`/events/${id}`);
};

export function nextEvent({ events }: CalendarData): string {
  return `e-${Math.max(...Object.keys(events).map((id) => Number(id.slice(2)))) + 1}`;
}

const editForm: CalendarHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.events[id];
  if (!one) return missing(visit);
  const { title, day, start, end, room } = one;
  return eventForm(visit, `/events/${id}/edit`, new URLSearchParams({ title, day, start, end, room }));
};

const change: CalendarHandler = (visit) => {
  const { data, params, form, views } = visit;
  const id = params['id'] ?? '';
  const one = data.events[id];
  if (!one) return missing(visit);
  const given = entered(form);
  const problem = problemOf(data, given, id);
  if (problem !== undefined) return eventForm(visit, `/events/${id}/edit`, form, problem);
  Object.assign(one, given);
  views.notice = `${given.title} is changed.`;
  return seeOther(`/events/${id}`);
};

const skip: CalendarHandler = (visit) => {
  const { data, params, form, views } = visit;
  const one = data.events[params['id'] ?? ''];
  const day = form.get('day') ?? '';
  if (!one?.isWeekly || !eventsOn(data, day).some(([, event]) => event === one)) return missing(visit);
  one.skips = [...one.skips, day].sort();
  views.notice = `${one.title} is cancelled on ${day}.`;
  return seeOther(`/events/${params['id']}`);
};

const remove: CalendarHandler = ({ data, params, views }) => {
  delete data.events[params['id'] ?? ''];
  views.notice = 'The event is gone.';
  return seeOther('/');
};

const invitations: CalendarHandler = (visit) =>
  page(BRAND, visit, {
    title: 'Invitations',
    body: html`<h1>Invitations</h1><ul class="list">${Object.entries(visit.data.invitations).map(
      ([id, { title, from, day, start, end, answer }]) =>
        html`<li id="${id}"><span class="grow"><strong>${title}</strong> from ${from}<br><span class="dim">${day}, ${start}–${end}</span></span>${
          answer === 'open'
            ? html`<form class="row" method="post" action="/invitations/${id}"><button name="answer" value="accepted" id="accept-${id}">Accept</button><button name="answer" value="declined" id="decline-${id}">Decline</button></form>`
            : html`<span class="tag answer">${answer}</span>`
        }</li>`,
    )}</ul>`,
  });

const reply: CalendarHandler = (visit) => {
  const one = visit.data.invitations[visit.params['id'] ?? ''];
  const answer = visit.form.get('answer');
  if (one?.answer !== 'open' || (answer !== 'accepted' && answer !== 'declined')) return missing(visit);
  one.answer = answer;
  return seeOther('/invitations');
};

export const calendar = defineSite<CalendarData>({
  name: 'calendar',
  make: makeCalendar,
  notFound: missing,
  routes: {
    'GET /': week,
    'GET /search': results,
    'GET /events/:id': eventPage,
    'GET /events/:id/edit': editForm,
    'POST /events/:id/edit': change,
    'POST /events/:id/skip': skip,
    'POST /events/:id/delete': remove,
    'GET /new': newForm,
    'POST /new': create,
    'GET /invitations': invitations,
    'POST /invitations/:id': reply,
  },
});
