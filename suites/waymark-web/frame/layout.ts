/** The frame of every page: heading, navigation, search, notices. Style and script are inlined, so that a page is one request. */
import { readFileSync } from 'node:fs';
import { type Html, html, trusted } from '../../../fixtures/routes/html.ts';
import type { Reply } from '../../../fixtures/routes/route.ts';
import type { SiteRequest } from '../../shared/routing.ts';
import type { Visit } from './site.ts';

const style = trusted(readFileSync(new URL('./style.css', import.meta.url), 'utf8').trim());

export interface Brand {
  readonly name: string;
  /** A few words, at the end of each page. */
  readonly about: string;
  /** The class of the body, for its colours. */
  readonly look: string;
  readonly links: readonly (readonly [path: string, label: string])[];
  /** Where the search field sends its text, as `q`. */
  readonly search: { readonly path: string; readonly label: string };
}

export interface Content {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** At the right of the heading: the cart and the like. */
  readonly aside?: Html;
  /** Runs in the page. */
  readonly script?: string;
}

export function page(brand: Brand, visit: Visit<object>, content: Content): Reply {
  const { title, body, status = 200, aside = html``, script } = content;
  const { views, path, query } = visit;
  const { notice } = views;
  delete views.notice;
  const isHere = (target: string): boolean => target === path;
  return document(
    brand.look,
    `${title} – ${brand.name}`,
    html`<header class="site"><div class="bar">
<a class="brand" href="/">${brand.name}</a>
<form class="search" role="search" action="${brand.search.path}"><label class="hidden" for="q">${brand.search.label}</label>
<input id="q" name="q" type="search" placeholder="${brand.search.label}" autocomplete="off" value="${path === brand.search.path ? (query.get('q') ?? '') : ''}"><button id="search-go">Search</button></form>
${aside}</div>
<nav aria-label="Main">${brand.links.map(([target, label]) => html`<a href="${target}"${isHere(target) ? trusted(' aria-current="page"') : ''}>${label}</a>`)}</nav>
</header>
${notice === undefined ? '' : html`<p class="notice" role="status" id="notice">${notice}</p>`}
<main>
${body}
</main>
<footer class="site"><p>${brand.name} · ${brand.about}</p></footer>
${script === undefined ? '' : html`<script type="module">${trusted(script)}</script>`}`,
    status,
  );
}

/** For lists: buttons that change what was chosen (`data-bulk`) can be used when something is chosen (`.pick`). */
export const ENABLE_WITH_CHOICE = `
const enable = () => {
  for (const button of document.querySelectorAll('[data-bulk]')) button.disabled = !document.querySelector('.pick:checked');
};
document.addEventListener('change', enable);
enable();`;

/** One failure of the server. Nothing was done. */
export function errorPage({ path }: SiteRequest, back: string): Reply {
  return document(
    'plain',
    'Something went wrong',
    html`<main><h1>Something went wrong</h1>
<p>We could not do that just now, and nothing was changed. Please go back and try again.</p>
<p><a class="button" id="go-back" href="${back}">Go back</a></p>
<p class="dim">Error 500 at ${path}</p></main>`,
    500,
  );
}

export function sessionPage(back: string): Reply {
  return document(
    'plain',
    'Session ended',
    html`<main><h1>Your session has ended</h1>
<p>You were signed out because of a long pause. What you had entered was not kept.</p>
<form method="post" action="/_session"><input type="hidden" name="back" value="${back}">
<button class="primary" id="sign-in">Sign in again</button></form></main>`,
    200,
  );
}

/** A page for what is not there. */
export function notFound(brand: Brand): (visit: Visit<object>) => Reply {
  return (visit) =>
    page(brand, visit, {
      title: 'Not found',
      status: 404,
      body: html`<h1>Not found</h1><p>There is no page at ${visit.path}.</p><p><a href="/">Go to the start page</a></p>`,
    });
}

function document(look: string, title: string, body: Html, status: number): Reply {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>
${style}
</style>
</head>
<body class="${look}">
${body}
</body>
</html>
`;
  return { status, headers: [['content-type', 'text/html; charset=utf-8']], body: markup };
}
