/** The pages of the encyclopedia: articles, search, a table of the lakes, history, editing. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { foundLine, textField } from '../../../shared/controls.ts';
import { type Brand, notFound, page } from '../../frame/layout.ts';
import { defineSite, type Handler, type Visit } from '../../frame/site.ts';
import {
  type Article,
  addRevision,
  makeWiki,
  newestOf,
  type Revision,
  revisionsOf,
  slugOf,
  type WikiData,
} from './data.ts';
import { partsOf } from './prose.ts';

const BRAND: Brand = {
  name: 'Fieldnotes',
  about: 'the encyclopedia that its readers write',
  look: 'wiki',
  links: [
    ['/', 'Contents'],
    ['/lakes', 'Table of lakes'],
    ['/recent', 'Recent changes'],
  ],
  search: { path: '/search', label: 'Search articles' },
};
type WikiHandler = Handler<WikiData>;
const missing = notFound(BRAND);
const HEADINGS = { town: 'Towns', person: 'People', river: 'Rivers', lake: 'Lakes' } as const;

const entries = (data: WikiData, kind: Article['kind']): [string, Article][] =>
  Object.entries(data.articles)
    .filter(([, one]) => one.kind === kind)
    .sort(([a], [b]) => a.localeCompare(b, 'en'));
const listOf = (list: readonly [string, Article][]): Html =>
  html`<ul class="columns">${list.map(([slug, { title }]) => html`<li><a href="/wiki/${slug}">${title}</a></li>`)}</ul>`;

const contents: WikiHandler = (visit) =>
  page(BRAND, visit, {
    title: 'Contents',
    body: html`<h1>Contents</h1><p>${Object.keys(visit.data.articles).length} articles. Search for one, or begin with a town.</p><h2>Towns</h2>${listOf(entries(visit.data, 'town'))}`,
  });

const results: WikiHandler = (visit) => {
  const text = (visit.query.get('q') ?? '').trim().toLowerCase();
  const all = Object.entries(visit.data.articles).filter(
    ([, one]) => text !== '' && `${one.title} ${newestOf(one).text}`.toLowerCase().includes(text),
  );
  return page(BRAND, visit, {
    title: 'Search',
    body: html`<h1>Search</h1>${foundLine(all.length, 'article')}<ul class="list">${all.map(([slug, one]) => html`<li><span class="grow"><a href="/wiki/${slug}">${one.title}</a> <span class="tag">${HEADINGS[one.kind]}</span><br>${leadOf(newestOf(one).text)}</span></li>`)}</ul>`,
  });
};

const leadOf = (text: string): string => partsOf(text).lead[0] ?? '';

/** A fact whose value is the title of an article links to it. */
function factRows(data: WikiData, facts: Readonly<Record<string, string>>): Html[] {
  return Object.entries(facts).map(([label, value]) => {
    const slug = slugOf(value);
    return html`<dt>${label}</dt><dd data-fact="${label}">${data.articles[slug] ? html`<a href="/wiki/${slug}">${value}</a>` : value}</dd>`;
  });
}

const articlePage: WikiHandler = (visit) => {
  const slug = visit.params['slug'] ?? '';
  const one = visit.data.articles[slug];
  if (!one) return missing(visit);
  const { facts, text } = newestOf(one);
  return page(BRAND, visit, {
    title: one.title,
    body: html`<h1>${one.title}</h1><div class="row"><a class="button" id="edit" href="/wiki/${slug}/edit">Edit</a><a class="button" id="history" href="/wiki/${slug}/history">History</a></div>
${one.isProtected ? html`<p class="box" id="protected">This article is protected. Only editors can change it, and you are not one of them.</p>` : ''}
<div class="article"><dl class="pairs box">${factRows(visit.data, facts)}</dl><div id="text">${prose(text)}</div></div>`,
  });
};

/** The lead, a list of the sections where there are some, and the sections. */
function prose(text: string): Html {
  const { lead, sections } = partsOf(text);
  const paragraphs = (list: readonly string[]): Html[] => list.map((one) => html`<p>${one}</p>`);
  const contents = html`<nav class="toc" aria-label="Contents of the article"><h2>Contents</h2><ol>${sections.map(({ heading }) => html`<li><a href="#${slugOf(heading)}">${heading}</a></li>`)}</ol></nav>`;
  return html`${paragraphs(lead)}${sections.length > 0 ? contents : ''}${sections.map(
    ({ heading, paragraphs: list }) =>
      html`<section aria-labelledby="${slugOf(heading)}"><h2 id="${slugOf(heading)}">${heading}</h2>${paragraphs(list)}</section>`,
  )}`;
}

/** Sorted in the page by a click on a heading, as tables of real sites are. */
const SORT = `
const table = document.getElementById('lakes');
for (const [index, head] of [...table.tHead.rows[0].cells].entries()) head.querySelector('button')?.addEventListener('click', () => {
  const rows = [...table.tBodies[0].rows];
  const value = (row) => Number.parseFloat(row.cells[index].textContent);
  rows.sort((a, b) => value(b) - value(a));
  table.tBodies[0].append(...rows);
});`;

const lakes: WikiHandler = (visit) =>
  page(BRAND, visit, {
    title: 'Table of lakes',
    body: html`<h1>Table of lakes</h1><div class="scroll"><table id="lakes"><thead><tr><th>Lake</th><th class="number"><button id="sort-depth">Depth</button></th><th class="number"><button id="sort-area">Area</button></th></tr></thead><tbody>${entries(
      visit.data,
      'lake',
    ).map(([slug, one]) => {
      const { facts } = newestOf(one);
      return html`<tr><td><a href="/wiki/${slug}">${one.title}</a></td><td class="number">${facts['Depth'] ?? ''}</td><td class="number">${facts['Area'] ?? ''}</td></tr>`;
    })}</tbody></table></div>`,
    script: SORT,
  });

const recent: WikiHandler = (visit) =>
  page(BRAND, visit, {
    title: 'Recent changes',
    body: html`<h1>Recent changes</h1><ul class="list">${Object.entries(visit.data.articles)
      .filter(([, one]) => revisionsOf(one).length > 2)
      .map(
        ([slug, one]) =>
          html`<li><a href="/wiki/${slug}">${one.title}</a> <span class="dim">${newestOf(one).by}: ${newestOf(one).summary}</span></li>`,
      )}</ul>`,
  });

function editForm(
  visit: Visit<WikiData>,
  slug: string,
  one: Article,
  values: URLSearchParams,
  problem?: string,
): Reply {
  const { facts, text } = newestOf(one);
  const script = visit.takeFault('unexpected-dialog') ? "alert('The terms of Fieldnotes have changed.');" : undefined;
  return page(BRAND, visit, {
    title: `Edit ${one.title}`,
    status: problem === undefined ? 200 : 422,
    body: html`<h1>Edit ${one.title}</h1><form class="stack" method="post" action="/wiki/${slug}/edit">
${Object.entries(facts).map(([label, value]) => textField({ id: `fact-${slugOf(label)}`, label }, values.get(`fact-${slugOf(label)}`) ?? value))}
<div class="field"><label for="body">Text</label><textarea id="body" name="body">${values.get('body') ?? text}</textarea></div>
${textField({ id: 'summary', label: 'Summary of the change', problem }, values.get('summary') ?? '')}<button class="primary" id="save">Save</button></form>`,
    ...(script === undefined ? {} : { script }),
  });
}

const edit: WikiHandler = (visit) => {
  const slug = visit.params['slug'] ?? '';
  const one = visit.data.articles[slug];
  if (!one) return missing(visit);
  return one.isProtected ? seeOther(`/wiki/${slug}`) : editForm(visit, slug, one, new URLSearchParams());
};

const save: WikiHandler = (visit) => {
  const { data, params, form, views } = visit;
  const slug = params['slug'] ?? '';
  const one = data.articles[slug];
  if (!one || one.isProtected) return missing(visit);
  const summary = (form.get('summary') ?? '').trim();
  if (summary === '') return editForm(visit, slug, one, form, 'Say what you have changed.');
  const { facts, text } = newestOf(one);
  const changed = Object.fromEntries(
    Object.entries(facts).map(([label, value]) => [label, (form.get(`fact-${slugOf(label)}`) ?? value).trim()]),
  );
  addRevision(one, {
    by: data.me,
    summary,
    facts: changed,
    text: (form.get('body') ?? text).replaceAll('\r\n', '\n').trim(),
  });
  views.notice = 'Your change is saved.';
  return seeOther(`/wiki/${slug}`);
};

const history: WikiHandler = (visit) => {
  const slug = visit.params['slug'] ?? '';
  const one = visit.data.articles[slug];
  if (!one) return missing(visit);
  const all = revisionsOf(one);
  const row = ({ by, summary, text }: Revision, index: number): Html =>
    html`<li><span class="grow"><strong>Revision ${index + 1}</strong> by ${by}: ${summary}<br><span class="dim">${leadOf(text)} ${text.length} characters.</span></span>${
      index === all.length - 1
        ? html`<span class="tag">shown now</span>`
        : html`<form method="post" action="/wiki/${slug}/restore"><input type="hidden" name="number" value="${index + 1}"><button id="restore-${index + 1}">Restore</button></form>`
    }</li>`;
  return page(BRAND, visit, {
    title: `History of ${one.title}`,
    body: html`<h1>History of ${one.title}</h1><ul class="list">${all.map(row).reverse()}</ul>`,
  });
};

const restore: WikiHandler = (visit) => {
  const { data, params, form, views } = visit;
  const slug = params['slug'] ?? '';
  const one = data.articles[slug];
  const old = one?.revisions[Number(form.get('number'))];
  if (!one || !old || one.isProtected) return missing(visit);
  addRevision(one, restored(data, old, Number(form.get('number'))));
  views.notice = `Revision ${form.get('number')} is shown again.`;
  return seeOther(`/wiki/${slug}`);
};

export function restored({ me }: WikiData, { facts, text }: Revision, number: number): Revision {
  return { by: me, summary: `Restored revision ${number}`, facts, text };
}

export const wiki = defineSite<WikiData>({
  name: 'wiki',
  make: makeWiki,
  notFound: missing,
  routes: {
    'GET /': contents,
    'GET /search': results,
    'GET /lakes': lakes,
    'GET /recent': recent,
    'GET /wiki/:slug': articlePage,
    'GET /wiki/:slug/edit': edit,
    'POST /wiki/:slug/edit': save,
    'GET /wiki/:slug/history': history,
    'POST /wiki/:slug/restore': restore,
  },
});
