/** The frame of the library's pages. */
import { html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { type Brand, type Content, page } from '../layout.ts';
import type { LibraryVisit } from './state.ts';

const BRAND: Brand = {
  name: 'Harbour City Library',
  motto: 'Six branches, one card',
  look: 'library',
  links: [
    ['/', 'Start'],
    ['/catalogue', 'Catalogue'],
    ['/rooms', 'Study rooms'],
    ['/branches', 'Branches'],
    ['/reservations', 'My reservations'],
  ],
  search: { path: '/catalogue', label: 'Search title, author, subject' },
  footer: 'Loans are free. Ask at any desk.',
};

export function libraryPage(visit: LibraryVisit, content: Content): Reply {
  return page(BRAND, visit, content);
}

export function notFoundPage(visit: LibraryVisit): Reply {
  return libraryPage(visit, {
    title: 'Not found',
    status: 404,
    body: html`<h1>There is nothing on this shelf</h1><p>Search the <a href="/catalogue">catalogue</a>.</p>`,
  });
}
