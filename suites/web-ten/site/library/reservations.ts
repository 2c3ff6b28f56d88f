/**
 * Reserving a title. The first time it is sent, the visit has expired and the form is lost; the second time the catalogue is out of order;
 * from the third time on it works. On the second form a survey covers the page.
 */
import { html, trusted } from '../../../../fixtures/routes/html.ts';
import { type Reply, seeOther } from '../../../../fixtures/routes/route.ts';
import { choice, textField } from '../../../shared/controls.ts';
import { reference } from '../reference.ts';
import { BRANCHES, type Title } from './data.ts';
import { libraryPage, notFoundPage } from './page.ts';
import { CARD, CARD_PROBLEM, type LibraryHandler, type LibraryVisit, type Reservation } from './state.ts';

const NOTIFY = ['by letter', 'by text message', 'not at all'];
type Titles = ReadonlyMap<string, Title>;

/** Names all reservations of a visitor: one that was made twice has another number. */
const receipt = (reservations: readonly Reservation[]): string => reference('reservations', reservations);

export function reservationRoutes(titles: Titles): Record<string, LibraryHandler> {
  const withTitle =
    (handle: (visit: LibraryVisit, title: Title) => Reply): LibraryHandler =>
    (visit) => {
      const title = titles.get(visit.params['id'] ?? '');
      return title ? handle(visit, title) : notFoundPage(visit);
    };
  return {
    'GET /reserve/:id': withTitle((visit, title) => {
      visit.state.forms += 1;
      return formPage(visit, title, undefined);
    }),
    'POST /reserve/:id': withTitle(send),
    'GET /expired': expiredPage,
    'GET /reservations': (visit) => listPage(visit, titles),
    'GET /reservations/:receipt': (visit) =>
      visit.params['receipt'] === receipt(visit.state.reservations) && visit.state.reservations.length > 0
        ? listPage(visit, titles)
        : notFoundPage(visit),
  };
}

function formPage(visit: LibraryVisit, title: Title, problem: string | undefined): Reply {
  const value = (name: string): string => visit.form.get(name) ?? '';
  const survey = html`<dialog${trusted(' data-modal')} aria-label="Survey"><h2>One question</h2><p>Would you recommend the library to a friend?</p><div class="row"><button disabled>Yes</button><button disabled>No</button><button${trusted(' data-close')} id="skip-survey">Skip</button></div></dialog>
`;
  return libraryPage(visit, {
    title: 'Reserve',
    status: problem === undefined ? 200 : 422,
    body: html`<h1>Reserve</h1><p>${title.title} by ${title.author}, <strong>${title.format}</strong></p><form method="post" action="/reserve/${title.id}">
${textField({ id: 'card', label: 'Library card', hint: CARD_PROBLEM, problem }, value('card'))}
${choice({ id: 'branch', label: 'Collect at' }, BRANCHES, value('branch'))}${choice({ id: 'notify', label: 'Tell me' }, NOTIFY, value('notify'))}
<button class="primary" id="send">Reserve</button></form>`,
    ...(visit.method === 'GET' && visit.state.forms === 2 ? { dialog: survey } : {}),
  });
}

function send(visit: LibraryVisit, title: Title): Reply {
  const { form, state } = visit;
  const text = (name: string): string => (form.get(name) ?? '').trim();
  if (!CARD.test(text('card'))) return formPage(visit, title, CARD_PROBLEM);
  state.sent += 1;
  if (state.sent === 1) return seeOther('/expired');
  if (state.sent === 2) return outOfOrder(visit, title);
  const [branch, notify] = [text('branch'), text('notify')];
  if (!BRANCHES.includes(branch) || !NOTIFY.includes(notify)) return notFoundPage(visit);
  state.reservations.push({ title: title.id, card: text('card'), branch, notify });
  return seeOther(`/reservations/${receipt(state.reservations)}`);
}

const expiredPage: LibraryHandler = (visit) =>
  libraryPage(visit, {
    title: 'Expired',
    body: html`<h1>Your visit has expired</h1><p class="problem" role="alert">For your safety we forgot what you had entered. Nothing was reserved.</p><p><a href="/">Begin again</a></p>`,
  });

function outOfOrder(visit: LibraryVisit, title: Title): Reply {
  return libraryPage(visit, {
    title: 'Out of order',
    status: 503,
    body: html`<h1>The catalogue is out of order</h1><p class="problem" role="alert">Error 503. Nothing was reserved. It will work again in a moment.</p><p><a href="/catalogue/${title.id}">Back to the title</a></p>`,
  });
}

function listPage(visit: LibraryVisit, titles: Titles): Reply {
  const { reservations } = visit.state;
  return libraryPage(visit, {
    title: 'My reservations',
    body: html`<h1>My reservations</h1>${
      reservations.length === 0
        ? html`<p>There are none.</p>`
        : html`<p class="box" id="receipt" role="status">Receipt ${receipt(reservations)} for ${reservations.length === 1 ? '1 reservation' : `${reservations.length} reservations`}.</p>`
    }<ul class="results">${reservations.map(
      ({ title, branch, notify }) =>
        html`<li class="reservation">${titles.get(title)?.title ?? ''} <span class="tag">${titles.get(title)?.format ?? ''}</span><br>Collect at ${branch}; we tell you ${notify}.</li>`,
    )}</ul>`,
  });
}
