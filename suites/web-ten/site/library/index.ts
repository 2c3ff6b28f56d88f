/** Harbour City Library: a catalogue, reservations that go wrong at first, study rooms. */
import { html } from '../../../../fixtures/routes/html.ts';
import { defineSite, type Site } from '../site.ts';
import { catalogueRoutes } from './catalogue.ts';
import { BRANCHES, makeRooms, makeTitles } from './data.ts';
import { libraryPage, notFoundPage } from './page.ts';
import { reservationRoutes } from './reservations.ts';
import { roomRoutes } from './rooms.ts';
import type { LibraryHandler, LibraryState } from './state.ts';

export function library(): Site {
  const titles = makeTitles();
  return defineSite<LibraryState>({
    host: 'library.waymark.test',
    newState: () => ({ reservations: [], sent: 0, forms: 0, bookings: new Map() }),
    routes: {
      'GET /': startPage,
      'GET /branches': branchesPage,
      'GET /branches/hours': hours,
      ...catalogueRoutes(titles),
      ...reservationRoutes(titles),
      ...roomRoutes(makeRooms()),
    },
    notFound: notFoundPage,
  });
}

const startPage: LibraryHandler = (visit) =>
  libraryPage(visit, {
    title: 'Start',
    body: html`<h1>Welcome to the library</h1><p>Search the catalogue above, reserve what you like, and collect it at the branch of your choice.</p>
<ul class="cards"><li><a href="/catalogue">Catalogue</a><br>Books, large print, audiobooks, e-books</li><li><a href="/rooms">Study rooms</a><br>For two to eighteen people</li><li><a href="/branches">Branches</a><br>Where we are, and when</li></ul>`,
  });

const branchesPage: LibraryHandler = (visit) =>
  libraryPage(visit, {
    title: 'Branches',
    body: html`<h1>Branches</h1><ul>${BRANCHES.map((branch) => html`<li>${branch}</li>`)}</ul><h2>Opening hours</h2><iframe title="Opening hours" name="hours" src="/branches/hours"></iframe>`,
  });

const hours: LibraryHandler = (visit) =>
  libraryPage(visit, {
    title: 'Opening hours',
    bare: true,
    body: html`<table><tbody>${BRANCHES.map((branch, index) => html`<tr><td>${branch}</td><td>${8 + (index % 3)}:00 to ${18 + (index % 2)}:00</td></tr>`)}</tbody></table>`,
  });
