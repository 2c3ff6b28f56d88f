/** The pages of the tracker: boards with cards to drag, lists with filters, issues with comments. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import { json, type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { check, choice, foundLine } from '../../../shared/controls.ts';
import { type Brand, type Content, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import { type Issue, LABELS, makeTracker, PRIORITIES, STATUSES, type TrackerData } from './data.ts';

const BRAND: Brand = {
  name: 'Cairn',
  about: 'issues, boards and people',
  look: 'tracker',
  links: [
    ['/', 'Projects'],
    ['/issues', 'All issues'],
    ['/boards/ATL', 'Atlas board'],
    ['/boards/BRG', 'Bridge board'],
    ['/boards/CMP', 'Compass board'],
  ],
  search: { path: '/issues', label: 'Search issues' },
};
type TrackerHandler = Handler<TrackerData>;
const missing = notFound(BRAND);
const shown = (visit: Visit<TrackerData>, content: Content): Reply =>
  page(BRAND, visit, { aside: html`<span class="dim">${visit.data.me}</span>`, ...content });

function openIssues({ issues }: TrackerData, project: string): number {
  return Object.values(issues).filter((one) => one.project === project && one.status !== 'Done').length;
}

const projects: TrackerHandler = (visit) =>
  shown(visit, {
    title: 'Projects',
    body: html`<h1>Projects</h1><ul class="cards">${Object.entries(visit.data.projects).map(
      ([key, { name, members }]) =>
        html`<li><h2>${name}</h2><p>${openIssues(visit.data, key)} open issues</p><p class="dim">${members.join(', ')}</p><p class="row"><a href="/issues?project=${key}">Issues</a><a href="/boards/${key}">Board</a></p></li>`,
    )}</ul>`,
  });

const FILTERS = ['project', 'status', 'assignee', 'priority'] as const;

export function filtered({ issues }: TrackerData, query: URLSearchParams): [string, Issue][] {
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const label = query.get('label') ?? '';
  return Object.entries(issues).filter(
    ([id, issue]) =>
      words.every((word) => `${id} ${issue.title}`.toLowerCase().includes(word)) &&
      FILTERS.every((field) => [null, '', issue[field]].includes(query.get(field))) &&
      (label === '' || issue.labels.includes(label)),
  );
}

function filters({ projects: all }: TrackerData, query: URLSearchParams): Html {
  const members = [...new Set(Object.values(all).flatMap((project) => project.members))].sort();
  const field = (id: string, label: string, options: readonly (string | readonly [string, string])[]): Html =>
    choice({ id, label, empty: 'Any' }, options, query.get(id) ?? '');
  return html`<form class="row box" action="/issues"><input type="hidden" name="q" value="${query.get('q') ?? ''}">
${field(
  'project',
  'Project',
  Object.entries(all).map(([key, { name }]) => [key, name] as const),
)}${field('status', 'Status', STATUSES)}${field('assignee', 'Assignee', members)}${field('priority', 'Priority', PRIORITIES)}${field('label', 'Label', LABELS)}<button class="primary" id="apply">Filter</button></form>`;
}

const issues: TrackerHandler = (visit) => {
  const { data, query } = visit;
  const all = filtered(data, query);
  return shown(visit, {
    title: 'Issues',
    body: html`<h1>Issues</h1>${filters(data, query)}${foundLine(all.length, 'issue')}
<div class="scroll"><table><thead><tr><th>Issue</th><th>Title</th><th>Status</th><th class="hide-small">Assignee</th><th class="hide-small">Priority</th></tr></thead><tbody>${all.map(
      ([id, { title, status, assignee, priority }]) =>
        html`<tr><td>${id}</td><td><a href="/issues/${id}">${title}</a></td><td>${status}</td><td class="hide-small">${assignee || 'nobody'}</td><td class="hide-small">${priority}</td></tr>`,
    )}</tbody></table></div>`,
  });
};

const board: TrackerHandler = (visit) => {
  const { data, params } = visit;
  const key = params['key'] ?? '';
  const project = data.projects[key];
  if (!project) return missing(visit);
  const cards = (status: string): Html[] =>
    filtered(data, new URLSearchParams({ project: key, status })).map(
      ([id, { title, assignee }]) =>
        html`<article class="card" draggable="true" data-issue="${id}" id="card-${id}"><a href="/issues/${id}" draggable="false">${id}</a><p>${title}</p><p class="dim">${assignee || 'nobody'}</p></article>`,
    );
  return shown(visit, {
    title: `${project.name} board`,
    body: html`<h1>${project.name}</h1><p id="moved" role="status"></p><div class="board">${STATUSES.map(
      (status, index) =>
        html`<section class="column" data-status="${status}" id="column-${index + 1}" aria-label="${status}"><h2>${status}</h2>${cards(status)}</section>`,
    )}</div>`,
    script: DRAG,
  });
};

/** Cards are moved by dragging; an issue's own page has a list for it, for those who use no mouse. */
const DRAG = `
let dragged;
for (const card of document.querySelectorAll('.card')) card.addEventListener('dragstart', (event) => {
  dragged = card;
  event.dataTransfer.setData('text/plain', card.dataset.issue);
});
for (const column of document.querySelectorAll('.column')) {
  column.addEventListener('dragover', (event) => { event.preventDefault(); column.classList.add('over'); });
  column.addEventListener('dragleave', () => column.classList.remove('over'));
  column.addEventListener('drop', async (event) => {
    event.preventDefault();
    column.classList.remove('over');
    if (!dragged) return;
    const card = dragged;
    const body = new URLSearchParams({ status: column.dataset.status });
    const answer = await fetch('/issues/' + card.dataset.issue + '/status', { method: 'POST', body });
    if (answer.ok) column.append(card);
    document.getElementById('moved').textContent = answer.ok ? card.dataset.issue + ' is now in “' + column.dataset.status + '”.' : 'That did not work.';
  });
}`;

const moveCard: TrackerHandler = ({ data, params, form }) => {
  const issue = data.issues[params['id'] ?? ''];
  const status = STATUSES.find((each) => each === form.get('status'));
  if (!issue || !status) return json(404, {});
  issue.status = status;
  return json(200, { status });
};

const issuePage: TrackerHandler = (visit) => {
  const { data, params } = visit;
  const id = params['id'] ?? '';
  const issue = data.issues[id];
  if (!issue) return missing(visit);
  const { title, project, status, assignee, priority, labels, comments } = issue;
  return shown(visit, {
    title: `${id} ${title}`,
    body: html`<p><a href="/boards/${project}">${data.projects[project]?.name ?? ''}</a></p><h1>${id} ${title}</h1>
<form class="box" method="post" action="/issues/${id}"><div class="row">${choice({ id: 'status', label: 'Status' }, STATUSES, status)}${choice({ id: 'assignee', label: 'Assignee', empty: 'nobody' }, data.projects[project]?.members ?? [], assignee)}${choice({ id: 'priority', label: 'Priority' }, PRIORITIES, priority)}</div>
<div class="row">${LABELS.map((label) => check('labels', `label-${label}`, label, labels.includes(label), label))}</div>
<button class="primary" id="save">Save</button></form>
<form method="post" action="/issues/${id}/delete"><button class="danger" id="delete">Delete issue</button></form>
<h2>Comments</h2><div id="comments">${comments.map(({ by, text }) => html`<blockquote class="box"><p class="text">${text}</p><footer class="dim">${by}</footer></blockquote>`)}</div>
<form class="stack" method="post" action="/issues/${id}/comments"><div class="field"><label for="comment">New comment</label><textarea id="comment" name="comment" required></textarea></div><button id="add-comment">Comment</button></form>`,
  });
};

const save: TrackerHandler = (visit) => {
  const { data, params, form, views } = visit;
  const id = params['id'] ?? '';
  const issue = data.issues[id];
  if (!issue) return missing(visit);
  if (visit.takeFault('changed-meanwhile'))
    return shown(visit, {
      title: 'Not saved',
      status: 409,
      body: html`<h1>Not saved</h1><p class="error">Somebody else had this issue open and saved it while you were editing. Nothing of yours was saved.</p><p><a class="button primary" id="reload" href="/issues/${id}">Open the issue again</a></p>`,
    });
  issue.status = STATUSES.find((each) => each === form.get('status')) ?? issue.status;
  issue.priority = PRIORITIES.find((each) => each === form.get('priority')) ?? issue.priority;
  issue.assignee = data.projects[issue.project]?.members.find((each) => each === form.get('assignee')) ?? '';
  issue.labels = LABELS.filter((label) => form.getAll('labels').includes(label));
  views.notice = `${id} is saved.`;
  return seeOther(`/issues/${id}`);
};

const comment: TrackerHandler = (visit) => {
  const { data, params, form } = visit;
  const id = params['id'] ?? '';
  const issue = data.issues[id];
  const text = (form.get('comment') ?? '').replaceAll('\r\n', '\n').trim();
  if (!issue) return missing(visit);
  if (text === '') visit.views.notice = 'Write something first.';
  else issue.comments = [...issue.comments, { by: data.me, text }];
  return seeOther(`/issues/${id}`);
};

const remove: TrackerHandler = ({ data, params, views }) => {
  const id = params['id'] ?? '';
  delete data.issues[id];
  views.notice = `${id} was deleted.`;
  return seeOther('/issues');
};

export const tracker = defineSite<TrackerData>({
  name: 'tracker',
  make: makeTracker,
  notFound: missing,
  routes: {
    'GET /': projects,
    'GET /issues': issues,
    'GET /issues/:id': issuePage,
    'POST /issues/:id': save,
    'POST /issues/:id/status': moveCard,
    'POST /issues/:id/comments': comment,
    'POST /issues/:id/delete': remove,
    'GET /boards/:key': board,
  },
});
