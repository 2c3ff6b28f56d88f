/** Exports: chosen in a form, prepared for a moment, then there to be downloaded. The address depends on what was chosen. */
import { html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { check, choice } from '../../../shared/controls.ts';
import { reference } from '../reference.ts';
import type { Handler } from '../site.ts';
import { filtered, PRIORITIES, STATES, TEAMS, type Ticket } from './data.ts';
import { type DeskState, type DeskVisit, deskPage, type Export, notFoundPage } from './page.ts';

const COLUMNS = ['number', 'subject', 'team', 'state', 'priority', 'reporter', 'hours'] as const;
const FORMATS: readonly (readonly [string, string])[] = [
  ['txt', 'Plain text, to print'],
  ['csv', 'CSV, for a spreadsheet'],
];

export function exportRoutes(tickets: readonly Ticket[]): Record<string, Handler<DeskState>> {
  return {
    'GET /exports': (visit) => formPage(visit, ''),
    'POST /exports': prepare,
    'GET /exports/:reference': statusPage,
    'GET /exports/:reference/:file': (visit) => file(visit, tickets),
  };
}

function formPage(visit: DeskVisit, problem: string): Reply {
  const { form } = visit;
  const value = (name: string): string => form.get(name) ?? '';
  const columns = form.has('format') ? form.getAll('column') : ['number', 'subject', 'team'];
  return deskPage(visit, {
    title: 'Exports',
    status: problem === '' ? 200 : 422,
    body: html`<h1>Export tickets</h1><p class="problem" role="alert">${problem}</p><form method="post" action="/exports">
<div class="row">${choice({ id: 'team', label: 'Team', empty: 'Any' }, TEAMS, value('team'))}${choice({ id: 'state', label: 'State', empty: 'Any' }, STATES, value('state'))}${choice({ id: 'priority', label: 'Priority', empty: 'Any' }, PRIORITIES, value('priority'))}</div>
<fieldset><legend>Columns</legend>${COLUMNS.map((name) => check('column', `column-${name}`, name, columns.includes(name), name))}</fieldset>
<fieldset><legend>Format</legend>${FORMATS.map(([id, label]) => check('format', `format-${id}`, label, (value('format') || 'txt') === id, id, 'radio'))}</fieldset>
<button class="primary" id="prepare">Prepare the export</button></form>
<h2>Prepared by you</h2><ul>${[...visit.state.exports.keys()].map((name) => html`<li><a href="/exports/${name}">Export ${name}</a></li>`)}</ul>`,
  });
}

const prepare: Handler<DeskState> = (visit) => {
  const { form, state } = visit;
  const value = (name: string): string => form.get(name) ?? '';
  const columns = COLUMNS.filter((name) => form.getAll('column').includes(name));
  if (columns.length === 0) return formPage(visit, 'Choose one column or more.');
  const format = FORMATS.some(([id]) => id === value('format')) ? value('format') : 'txt';
  const wanted: Export = { team: value('team'), state: value('state'), priority: value('priority'), columns, format };
  const name = reference('export', wanted);
  if (!state.exports.has(name)) state.exports.set(name, { wanted, looks: 0 });
  return seeOther(`/exports/${name}`);
};

const statusPage: Handler<DeskState> = (visit) => {
  const name = visit.params['reference'] ?? '';
  const entry = visit.state.exports.get(name);
  if (!entry) return notFoundPage(visit);
  entry.looks += 1;
  const { team, state, priority, columns, format } = entry.wanted;
  return deskPage(visit, {
    title: 'Export',
    body: html`<h1>Export ${name}</h1><dl class="pairs"><dt>Team</dt><dd>${team || 'any'}</dd><dt>State</dt><dd>${state || 'any'}</dd><dt>Priority</dt><dd>${priority || 'any'}</dd><dt>Columns</dt><dd>${columns.join(', ')}</dd><dt>Format</dt><dd>${format}</dd></dl>
${
  // Work that takes a while, without a clock: it is ready at the next look.
  entry.looks < 2
    ? html`<p class="box" id="status" role="status">The export is being prepared. <a id="look-again" href="/exports/${name}">Look again</a></p>`
    : html`<p class="box" id="status" role="status">The export is ready. <a id="download" href="/exports/${name}/tickets.${format}">Download tickets.${format}</a></p>`
}`,
  });
};

function file(visit: DeskVisit, tickets: readonly Ticket[]): Reply {
  const entry = visit.state.exports.get(visit.params['reference'] ?? '');
  if (!entry || entry.looks < 2 || visit.params['file'] !== `tickets.${entry.wanted.format}`)
    return notFoundPage(visit);
  const { wanted } = entry;
  const separator = wanted.format === 'csv' ? ',' : '\t';
  const rows = filtered(tickets, wanted).map((ticket) => wanted.columns.map((name) => ticket[name as keyof Ticket]));
  return {
    headers: [
      ['content-type', wanted.format === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8'],
      ['content-disposition', `attachment; filename="tickets.${wanted.format}"`],
    ],
    body: [wanted.columns, ...rows].map((row) => `${row.join(separator)}\n`).join(''),
  };
}
