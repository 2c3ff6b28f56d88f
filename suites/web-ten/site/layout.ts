/** The frame of every page: heading, search, navigation, cookie notice. Style and script are inlined, so that a page is one request. */
import { readFileSync } from 'node:fs';
import { type Html, html, trusted } from '../../../fixtures/routes/html.ts';
import type { Reply } from '../../../fixtures/routes/route.ts';
import type { Visit, VisitorState } from './site.ts';

const style = trusted(readFileSync(new URL('./style.css', import.meta.url), 'utf8').trim());

export interface Brand {
  readonly name: string;
  readonly motto: string;
  /** The class of the body, for its colours. */
  readonly look: string;
  readonly links: readonly (readonly [path: string, label: string])[];
  /** Where the search field sends its text, as `q`. */
  readonly search?: { readonly path: string; readonly label: string };
  readonly footer: string;
}

export interface Content {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** At the right of the heading: the basket and the like. */
  readonly aside?: Html;
  /** A dialog that covers the page until it is closed. */
  readonly dialog?: Html;
  /** Without heading and footer, for the inside of a frame. */
  readonly bare?: boolean;
}

/** What a page does in the browser: dialogs are modal, and parts that are marked come after the page. */
const script = trusted(`<script>
for (const dialog of document.querySelectorAll('dialog[data-modal]')) {
  dialog.showModal();
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
}
for (const part of document.querySelectorAll('[data-src]')) {
  fetch(part.dataset.src)
    .then((response) => response.text())
    .then((markup) => { part.innerHTML = markup; });
}
</script>`);

export function page(brand: Brand, visit: Visit<VisitorState>, content: Content): Reply {
  const { title, body, status = 200, aside = html``, dialog = html``, bare = false } = content;
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${brand.name}</title>
<link rel="icon" href="data:,">
<style>
${style}
</style>
</head>
<body class="${brand.look}${bare ? ' bare' : ''}">
${bare ? '' : heading(brand, visit, aside)}<main>
${body}
</main>
${
  bare
    ? ''
    : html`<footer class="site-end"><p>${brand.name}. ${brand.footer}</p></footer>
${visit.state.consent === undefined ? notice(visit) : ''}`
}${dialog}${script}
</body>
</html>
`;
  return { status, headers: [['content-type', 'text/html; charset=utf-8']], body: markup };
}

function heading(brand: Brand, { query, path }: Visit<VisitorState>, aside: Html): Html {
  const { search } = brand;
  return html`<header class="site"><div class="bar">
<a class="brand" href="/"><strong>${brand.name}</strong> <span>${brand.motto}</span></a>
${
  search
    ? html`<form class="search" role="search" action="${search.path}"><label class="hidden" for="site-search">${search.label}</label>
<input id="site-search" name="q" type="search" placeholder="${search.label}" autocomplete="off" value="${path === search.path ? (query.get('q') ?? '') : ''}"><button id="site-search-go">Search</button></form>`
    : ''
}${aside}</div>
<nav aria-label="Main">${brand.links.map(([target, label]) => html`<a href="${target}">${label}</a>`)}</nav>
</header>
`;
}

function notice({ path, query }: Visit<VisitorState>): Html {
  const back = query.size === 0 ? path : `${path}?${query}`;
  return html`<form class="cookies" method="post" action="/consent" aria-label="Cookie notice">
<p>We use cookies to remember your choices. You decide whether we may also use them to count visits.</p>
<input type="hidden" name="back" value="${back}">
<button name="choice" value="all" class="primary" id="cookies-all">Accept all</button>
<button name="choice" value="necessary" id="cookies-necessary">Only necessary</button>
</form>
`;
}
