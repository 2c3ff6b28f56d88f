/** Searching the catalogue, and the record of a title. */
import { html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { choice, pageNumber, pager, withQuery } from '../../../shared/controls.ts';
import { type Phrases, prose } from '../prose.ts';
import { BRANCHES, FORMATS, type Title } from './data.ts';
import { libraryPage, notFoundPage } from './page.ts';
import type { LibraryHandler, LibraryVisit } from './state.ts';

const PER_PAGE = 15;

const BLURBS: Phrases = {
  sentences: [
    'With # drawings by the author.',
    'Revised after # letters from readers.',
    'A book for a long evening, or for # short ones.',
    'It was found in a drawer # years after it had been written.',
    'The index alone is worth the loan.',
    'Nothing happens for # pages, and then everything.',
    'Read aloud, it takes a winter.',
  ],
};

export function catalogueRoutes(titles: ReadonlyMap<string, Title>): Record<string, LibraryHandler> {
  const all = [...titles.values()];
  return {
    'GET /catalogue': (visit) => listPage(visit, all),
    'GET /catalogue/:id': (visit) => {
      const title = titles.get(visit.params['id'] ?? '');
      return title ? recordPage(visit, title) : notFoundPage(visit);
    },
    'GET /catalogue/:id/holdings': (visit) => {
      const title = titles.get(visit.params['id'] ?? '');
      return title ? holdings(title) : notFoundPage(visit);
    },
  };
}

function listPage(visit: LibraryVisit, all: readonly Title[]): Reply {
  const { query } = visit;
  const wanted = (name: string): string => query.get(name) ?? '';
  const words = wanted('q').toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(({ title, author, subject, format, holdings }) => {
    const text = `${title} ${author} ${subject}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (wanted('format') === '' || format === wanted('format')) &&
      (wanted('branch') === '' || holdings.has(wanted('branch')))
    );
  });
  const pages = Math.ceil(found.length / PER_PAGE);
  const current = pageNumber(query, pages);
  return libraryPage(visit, {
    title: 'Catalogue',
    body: html`<h1>Catalogue</h1><div class="split"><form class="filters" action="/catalogue" aria-label="Filters">
<div class="field"><label for="q">Words</label><input id="q" name="q" autocomplete="off" value="${wanted('q')}"></div>
${choice({ id: 'format', label: 'Format', empty: 'Any' }, FORMATS, wanted('format'))}${choice({ id: 'branch', label: 'Held at', empty: 'Any branch' }, BRANCHES, wanted('branch'))}
<button class="primary" id="apply">Show</button></form>
<section><p id="count">${found.length} records${pages > 1 ? `, page ${current} of ${pages}` : ''}</p>
<ul class="results">${found
      .slice((current - 1) * PER_PAGE, current * PER_PAGE)
      .map(
        ({ id, title, author, format, year }) =>
          html`<li><a href="/catalogue/${id}">${title}</a> <span class="tag">${format}</span><br><span class="dim">${author}, ${year}</span></li>`,
      )}</ul>${pager(current, pages, (number) => withQuery('/catalogue', query, { page: String(number) }))}</section></div>`,
  });
}

function recordPage(visit: LibraryVisit, title: Title): Reply {
  return libraryPage(visit, {
    title: title.title,
    body: html`<h1>${title.title}</h1><dl class="pairs"><dt>Author</dt><dd>${title.author}</dd><dt>Format</dt><dd id="format">${title.format}</dd><dt>Subject</dt><dd>${title.subject}</dd><dt>Year</dt><dd>${title.year}</dd><dt>Record</dt><dd>${title.id}</dd></dl>
<p>${prose(title.title, BLURBS, 3).join(' ')}</p><p><a class="button primary" id="reserve" href="/reserve/${title.id}">Reserve this title</a></p>
<h2>Copies</h2><section id="holdings" aria-live="polite" data-src="/catalogue/${title.id}/holdings">Asking the branches…</section>`,
  });
}

function holdings(title: Title): Reply {
  const { markup } = html`<table><thead><tr><th>Branch</th><th class="number">Copies</th></tr></thead><tbody>${[
    ...title.holdings,
  ].map(([branch, copies]) => html`<tr><td>${branch}</td><td class="number">${copies}</td></tr>`)}</tbody></table>`;
  return { headers: [['content-type', 'text/html; charset=utf-8']], body: markup };
}
