/** The Lowland Encyclopedia: articles with a box of facts, links, search, and names that mean several things. */
import { type Html, html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { pageNumber, pager, withQuery } from '../../../shared/controls.ts';
import { type Brand, type Content, page } from '../layout.ts';
import { defineSite, type Site, type Visit, type VisitorState } from '../site.ts';
import { type Article, type Fact, makeArticles } from './data.ts';

const BRAND: Brand = {
  name: 'Lowland Encyclopedia',
  motto: 'Written by its readers',
  look: 'wiki',
  links: [
    ['/', 'Start'],
    ['/all', 'All articles'],
    ['/about', 'About'],
  ],
  search: { path: '/search', label: 'Search articles' },
  footer: 'Anybody may correct an article; the box of facts is checked.',
};

type WikiVisit = Visit<VisitorState>;
const PER_PAGE = 20;

export function wiki(): Site {
  const articles = makeArticles();
  const all = [...articles.values()].sort((a, b) => (a.title < b.title ? -1 : 1));
  return defineSite<VisitorState>({
    host: 'wiki.waymark.test',
    newState: () => ({}),
    routes: {
      'GET /': (visit) => startPage(visit, all),
      'GET /about': (visit) =>
        wikiPage(visit, {
          title: 'About',
          body: html`<h1>About</h1><p>${all.length} articles on rivers, towns, museums and people of the lowlands.</p>`,
        }),
      'GET /all': (visit) => listPage(visit, '/all', 'All articles', all),
      'GET /search': (visit) => searchPage(visit, all),
      'GET /articles/:id': (visit) => {
        const article = articles.get(visit.params['id'] ?? '');
        return article ? articlePage(visit, article) : notFound(visit);
      },
    },
    notFound,
  });
}

const wikiPage = (visit: WikiVisit, content: Content): Reply => page(BRAND, visit, content);

const notFound = (visit: WikiVisit): Reply =>
  wikiPage(visit, {
    title: 'No article',
    status: 404,
    body: html`<h1>There is no such article</h1><p>Search, or look through <a href="/all">all articles</a>.</p>`,
  });

function startPage(visit: WikiVisit, all: readonly Article[]): Reply {
  return wikiPage(visit, {
    title: 'Start',
    body: html`<h1>Welcome</h1><p>This encyclopedia has ${all.length} articles. Search above, or begin with one of these.</p><ul>${all
      .filter((_, index) => index % 40 === 7)
      .map(item)}</ul>`,
  });
}

const item = ({ id, title, lead }: Article): Html =>
  html`<li><a href="/articles/${id}">${title}</a><br><span class="dim">${lead}</span></li>`;

function listPage(visit: WikiVisit, path: string, title: string, found: readonly Article[]): Reply {
  const pages = Math.ceil(found.length / PER_PAGE);
  const current = pageNumber(visit.query, pages);
  return wikiPage(visit, {
    title,
    body: html`<h1>${title}</h1><p id="count">${found.length} articles${pages > 1 ? `, page ${current} of ${pages}` : ''}</p><ul class="results">${found.slice((current - 1) * PER_PAGE, current * PER_PAGE).map(item)}</ul>
${pager(current, pages, (number) => withQuery(path, visit.query, { page: String(number) }))}`,
  });
}

function searchPage(visit: WikiVisit, all: readonly Article[]): Reply {
  const words = (visit.query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(
    ({ title, lead }) => words.length > 0 && words.every((word) => `${title} ${lead}`.toLowerCase().includes(word)),
  );
  return listPage(visit, '/search', `Search: ${visit.query.get('q') ?? ''}`, found);
}

const shown = ({ value, to }: Fact): Html =>
  to === undefined ? html`${value}` : html`<a href="/articles/${to}">${value}</a>`;

function articlePage(visit: WikiVisit, { title, lead, facts, text, sections }: Article): Reply {
  return wikiPage(visit, {
    title,
    body: html`<h1 id="title">${title}</h1>
${facts.length === 0 ? '' : html`<aside class="facts" id="facts" aria-label="Facts"><table><tbody>${facts.map((fact) => html`<tr><th>${fact.label}</th><td>${shown(fact)}</td></tr>`)}</tbody></table></aside>`}
<p>${lead}</p>${text.map((paragraph) => html`<p>${paragraph}</p>`)}${sections.map(
      (section) =>
        html`<h2>${section.title}</h2><ul>${section.items.map((fact) => html`<li>${fact.label}: ${shown(fact)}</li>`)}</ul>`,
    )}`,
  });
}
