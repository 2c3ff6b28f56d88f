/** The pages of the customer records: a table with filters and bulk edit, records, CSV in and out, roles. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { choice, foundLine, pageNumber, pager, withQuery } from '../../../shared/controls.ts';
import { ownPath } from '../../../shared/routing.ts';
import { type Brand, type Content, ENABLE_WITH_CHOICE, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import { type Customer, type DeskData, makeDesk, PLANS, REGIONS, STATUSES } from './data.ts';

const PAGE = 12;
const BRAND: Brand = {
  name: 'Ledgerline',
  about: 'customers, plans and notes',
  look: 'desk',
  links: [
    ['/', 'Overview'],
    ['/customers', 'Customers'],
    ['/import', 'Import'],
    ['/export', 'Export'],
    ['/team', 'Team'],
  ],
  search: { path: '/customers', label: 'Search customers' },
};
type DeskHandler = Handler<DeskData>;
const missing = notFound(BRAND);
const shown = (visit: Visit<DeskData>, content: Content): Reply =>
  page(BRAND, visit, {
    aside: html`<span class="dim">${visit.data.me}, ${visit.data.roles[visit.data.me] ?? ''}</span>`,
    ...content,
  });

const overview: DeskHandler = (visit) => {
  const all = Object.values(visit.data.customers);
  const sum = (list: readonly Customer[], field: 'revenue' | 'owes'): number =>
    list.reduce((total, one) => total + one[field], 0);
  const region = (name: string): Html => {
    const there = all.filter((one) => one.region === name);
    return html`<li><h2><a href="/customers?region=${name}">${name}</a></h2><p>${there.length} customers</p><p class="dim">Revenue €${sum(there, 'revenue')}</p></li>`;
  };
  const plan = (name: string): Html => {
    const those = all.filter((one) => one.plan === name);
    return html`<tr><th scope="row">${name}</th><td class="number">${those.filter(({ status }) => status === 'active').length}</td><td class="number">${those.filter(({ status }) => status === 'paused').length}</td><td class="number">€${sum(those, 'owes')}</td></tr>`;
  };
  return shown(visit, {
    title: 'Overview',
    body: html`<h1>Overview</h1><ul class="cards">${REGIONS.map(region)}</ul>
<h2>Plans</h2><div class="scroll" role="region" aria-label="Plans" tabindex="0"><table><thead><tr><th>Plan</th><th class="number">Active</th><th class="number">Paused</th><th class="number">Not paid yet</th></tr></thead><tbody>${PLANS.map(plan)}</tbody></table></div>`,
  });
};

const FILTERS = ['region', 'plan', 'status', 'owner'] as const;

export function found({ customers }: DeskData, query: URLSearchParams): [string, Customer][] {
  const text = (query.get('q') ?? '').trim().toLowerCase();
  const all = Object.entries(customers)
    .filter(([id, { name }]) => `${id} ${name}`.toLowerCase().includes(text))
    .filter(([, one]) => FILTERS.every((field) => [null, '', one[field]].includes(query.get(field))));
  if (query.get('sort') === 'revenue') all.sort(([, a], [, b]) => b.revenue - a.revenue);
  if (query.get('sort') === 'name') all.sort(([, a], [, b]) => a.name.localeCompare(b.name, 'en'));
  return all;
}

const ownersOf = ({ customers }: DeskData): string[] =>
  [...new Set(Object.values(customers).map(({ owner }) => owner))].sort();

const table: DeskHandler = (visit) => {
  const { data, query } = visit;
  const all = found(data, query);
  const count = Math.ceil(all.length / PAGE);
  const current = pageNumber(query, count);
  const field = (id: string, label: string, options: readonly string[]): Html =>
    choice({ id, label, empty: 'Any' }, options, query.get(id) ?? '');
  const sort = (by: string, label: string): Html =>
    html`<a id="sort-${by}" href="${withQuery('/customers', query, { sort: by, page: '' })}">${label}</a>`;
  const row = ([id, { name, region, plan, status, owner, revenue }]: [string, Customer]): Html =>
    html`<tr><td><input type="checkbox" class="pick" name="id" value="${id}" id="pick-${id}" aria-label="Choose ${name}"></td><td><a href="/customers/${id}">${name}</a></td><td>${region}</td><td>${plan}</td><td>${status}</td><td>${owner}</td><td class="number">€${revenue}</td></tr>`;
  return shown(visit, {
    title: 'Customers',
    body: html`<h1>Customers</h1><form class="row box" action="/customers"><input type="hidden" name="q" value="${query.get('q') ?? ''}">${field('region', 'Region', REGIONS)}${field('plan', 'Plan', PLANS)}${field('status', 'Status', STATUSES)}${field('owner', 'Owner', ownersOf(data))}<button class="primary" id="apply">Filter</button></form>
${foundLine(all.length, 'customer')}<form method="post" action="/customers"><input type="hidden" name="back" value="${withQuery('/customers', query, {})}">
<div class="scroll"><table><thead><tr><th><input type="checkbox" id="all" aria-label="Choose all on this page"></th><th>${sort('name', 'Name')}</th><th>Region</th><th>Plan</th><th>Status</th><th>Owner</th><th class="number">${sort('revenue', 'Revenue')}</th></tr></thead><tbody>${all.slice((current - 1) * PAGE, current * PAGE).map(row)}</tbody></table></div>
<div class="row">${choice({ id: 'new-owner', label: 'New owner', empty: 'As it is' }, ownersOf(data), '')}${choice({ id: 'new-status', label: 'New status', empty: 'As it is' }, STATUSES, '')}<button id="bulk" data-bulk>Change chosen</button></div></form>
${pager(current, count, (number) => withQuery('/customers', query, { page: String(number) }))}`,
    script: `document.getElementById('all').addEventListener('change', (event) => {
  for (const box of document.querySelectorAll('.pick')) box.checked = event.target.checked;
});
${ENABLE_WITH_CHOICE}`,
  });
};

const bulk: DeskHandler = ({ data, form, views }) => {
  const chosen = form.getAll('id').flatMap((id) => data.customers[id] ?? []);
  const owner = ownersOf(data).find((each) => each === form.get('new-owner'));
  const status = STATUSES.find((each) => each === form.get('new-status'));
  for (const one of chosen) {
    one.owner = owner ?? one.owner;
    one.status = status ?? one.status;
  }
  views.notice = chosen.length === 0 ? 'Choose customers first.' : `${chosen.length} customers were changed.`;
  return seeOther(ownPath(form.get('back')));
};

const record: DeskHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.customers[id];
  if (!one) return missing(visit);
  return shown(visit, {
    title: one.name,
    body: html`<h1>${one.name}</h1><dl class="pairs"><dt>Number</dt><dd>${id}</dd><dt>Region</dt><dd>${one.region}</dd><dt>Phone</dt><dd id="phone">${one.phone}</dd><dt>Revenue</dt><dd>€${one.revenue}</dd><dt>Not paid yet</dt><dd id="owes">€${one.owes}</dd></dl>
<form class="row box" method="post" action="/customers/${id}">${choice({ id: 'plan', label: 'Plan' }, PLANS, one.plan)}${choice({ id: 'status', label: 'Status' }, STATUSES, one.status)}${choice({ id: 'owner', label: 'Owner' }, ownersOf(visit.data), one.owner)}<button class="primary" id="save">Save</button></form>
<form method="post" action="/customers/${id}/delete"><button class="danger" id="delete">Delete customer</button></form>
<h2>Notes</h2><ul id="notes">${one.notes.map((note) => html`<li>${note}</li>`)}</ul>
<form class="stack" method="post" action="/customers/${id}/notes"><div class="field"><label for="note">New note</label><input id="note" name="note" autocomplete="off"></div><button id="add-note">Add note</button></form>`,
  });
};

const save: DeskHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.customers[id];
  if (!one) return missing(visit);
  const { form } = visit;
  one.plan = PLANS.find((each) => each === form.get('plan')) ?? one.plan;
  one.status = STATUSES.find((each) => each === form.get('status')) ?? one.status;
  one.owner = ownersOf(visit.data).find((each) => each === form.get('owner')) ?? one.owner;
  visit.views.notice = `${one.name} is saved.`;
  return seeOther(`/customers/${id}`);
};

const addNote: DeskHandler = (visit) => {
  const id = visit.params['id'] ?? '';
  const one = visit.data.customers[id];
  const text = (visit.form.get('note') ?? '').trim();
  if (!one) return missing(visit);
  if (text !== '') one.notes = [...one.notes, text];
  return seeOther(`/customers/${id}`);
};

const remove: DeskHandler = ({ data, params, views }) => {
  const id = params['id'] ?? '';
  delete data.customers[id];
  views.notice = `${id} was deleted.`;
  return seeOther('/customers');
};

const COLUMNS = 'name,region,plan,owner,revenue';

/** One line for each customer; what does not fit is named with its line. */
export function readCsv(text: string, data: DeskData): { rows: Customer[]; problems: string[] } {
  const [head = '', ...lines] = text.replaceAll('\r\n', '\n').trim().split('\n');
  if (head.trim() !== COLUMNS) return { rows: [], problems: [`The first line must be ${COLUMNS}`] };
  const problems: string[] = [];
  const rows = lines.flatMap((line, index) => {
    const [name = '', region = '', plan = '', owner = '', revenue = ''] = line.split(',').map((cell) => cell.trim());
    const isRight =
      name !== '' &&
      REGIONS.some((each) => each === region) &&
      PLANS.some((each) => each === plan) &&
      ownersOf(data).includes(owner) &&
      /^\d+$/.test(revenue);
    if (!isRight) problems.push(`Line ${index + 2} does not fit: ${line}`);
    return isRight
      ? [{ name, region, plan, owner, revenue: Number(revenue), status: 'active', owes: 0, phone: '', notes: [] }]
      : [];
  });
  return { rows, problems };
}

function importPage(visit: Visit<DeskData>, text: string, preview?: ReturnType<typeof readCsv>): Reply {
  const isRight = preview !== undefined && preview.problems.length === 0 && preview.rows.length > 0;
  return shown(visit, {
    title: 'Import',
    status: preview && !isRight ? 422 : 200,
    body: html`<h1>Import customers</h1><p>Paste CSV. The first line is <code>${COLUMNS}</code>.</p>
<form class="stack" method="post" action="/import"><div class="field"><label for="csv">CSV</label><textarea id="csv" name="csv">${text}</textarea></div><button id="preview" name="do" value="preview">Preview</button></form>
${preview ? html`${preview.problems.map((problem) => html`<p class="error">${problem}</p>`)}<table><tbody>${preview.rows.map(({ name, region, plan, owner, revenue }) => html`<tr><td>${name}</td><td>${region}</td><td>${plan}</td><td>${owner}</td><td class="number">€${revenue}</td></tr>`)}</tbody></table>` : ''}
${isRight ? html`<form method="post" action="/import"><input type="hidden" name="csv" value="${text}"><button class="primary" id="import" name="do" value="import">Import ${preview.rows.length} customers</button></form>` : ''}`,
  });
}

const importForm: DeskHandler = (visit) => importPage(visit, '');

const importRows: DeskHandler = (visit) => {
  const { data, form, views } = visit;
  const text = form.get('csv') ?? '';
  const read = readCsv(text, data);
  if (form.get('do') !== 'import' || read.problems.length > 0) return importPage(visit, text, read);
  addRows(data, read.rows);
  views.notice = `${read.rows.length} customers were imported.`;
  return seeOther('/customers');
};

export function addRows(data: DeskData, rows: readonly Customer[]): void {
  const last = Math.max(...Object.keys(data.customers).map((id) => Number(id.slice(2))));
  for (const [index, row] of rows.entries()) data.customers[`C-${last + 1 + index}`] = row;
}

const exportPage: DeskHandler = (visit) =>
  shown(visit, {
    title: 'Export',
    body: html`<h1>Export customers</h1><p>The file has the columns number, name, region, plan, status, owner and revenue.</p><p><a class="button primary" id="download" href="/export.csv" download>Download CSV</a></p>`,
  });

const exportFile: DeskHandler = ({ data }) => ({
  headers: [
    ['content-type', 'text/csv; charset=utf-8'],
    ['content-disposition', 'attachment; filename="customers.csv"'],
  ],
  body: `number,name,region,plan,status,owner,revenue\n${Object.entries(data.customers)
    .map(([id, { name, region, plan, status, owner, revenue }]) =>
      [id, name, region, plan, status, owner, revenue].join(','),
    )
    .join('\n')}\n`,
});

/** The one who uses the site is a manager, and only administrators change roles. */
const team: DeskHandler = (visit) =>
  shown(visit, {
    title: 'Team',
    body: html`<h1>Team</h1><p class="box" id="rule">Only administrators can change roles. You are a manager.</p>
<table><thead><tr><th>Name</th><th>Role</th></tr></thead><tbody>${Object.entries(visit.data.roles).map(([name, role]) => html`<tr><td>${name}</td><td>${role}</td></tr>`)}</tbody></table>`,
  });

export const desk = defineSite<DeskData>({
  name: 'desk',
  make: makeDesk,
  notFound: missing,
  routes: {
    'GET /': overview,
    'GET /customers': table,
    'POST /customers': bulk,
    'GET /customers/:id': record,
    'POST /customers/:id': save,
    'POST /customers/:id/notes': addNote,
    'POST /customers/:id/delete': remove,
    'GET /import': importForm,
    'POST /import': importRows,
    'GET /export': exportPage,
    'GET /export.csv': exportFile,
    'GET /team': team,
  },
});
