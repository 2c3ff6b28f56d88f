/** Kestrel Service Desk: tickets with filters, and exports that are prepared before they can be downloaded. */
import { html } from '../../../../fixtures/routes/html.ts';
import type { Reply } from '../../../../fixtures/routes/route.ts';
import { choice, pageNumber, pager, withQuery } from '../../../shared/controls.ts';
import { type Phrases, prose } from '../prose.ts';
import { defineSite, type Site } from '../site.ts';
import { type Filter, filtered, makeTickets, PRIORITIES, STATES, TEAMS, type Ticket } from './data.ts';
import { exportRoutes } from './exports.ts';
import { type DeskState, type DeskVisit, deskPage, notFoundPage } from './page.ts';

const PER_PAGE = 20;

const REMARKS: Phrases = {
  sentences: [
    'Tried it # times; the same each time.',
    'It worked before the building was painted.',
    'Somebody of the evening shift has a spare one.',
    'Please do not come between ten and noon.',
    'After # minutes it goes on by itself.',
    'The label on the back says revision #.',
    'The old one was better, says everybody.',
  ],
};

export function desk(): Site {
  const tickets = makeTickets();
  return defineSite<DeskState>({
    host: 'desk.waymark.test',
    newState: () => ({ exports: new Map() }),
    routes: {
      'GET /': (visit) => listPage(visit, tickets),
      'GET /tickets/:number': (visit) => ticketPage(visit, tickets),
      ...exportRoutes(tickets),
    },
    notFound: notFoundPage,
  });
}

function listPage(visit: DeskVisit, tickets: readonly Ticket[]): Reply {
  const { query } = visit;
  const wanted = (name: keyof Filter): string => query.get(name) ?? '';
  const words = (query.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const found = filtered(tickets, {
    team: wanted('team'),
    state: wanted('state'),
    priority: wanted('priority'),
  }).filter(({ subject, number }) => words.every((word) => `${number} ${subject}`.toLowerCase().includes(word)));
  const pages = Math.ceil(found.length / PER_PAGE);
  const current = pageNumber(query, pages);
  return deskPage(visit, {
    title: 'Tickets',
    body: html`<h1>Tickets</h1><form class="row" action="/" aria-label="Filters">
${choice({ id: 'team', label: 'Team', empty: 'Any' }, TEAMS, wanted('team'))}${choice({ id: 'state', label: 'State', empty: 'Any' }, STATES, wanted('state'))}${choice({ id: 'priority', label: 'Priority', empty: 'Any' }, PRIORITIES, wanted('priority'))}
<div class="field"><button class="primary" id="apply">Show</button></div></form>
<p id="count">${found.length} tickets${pages > 1 ? `, page ${current} of ${pages}` : ''}</p><div class="scroll"><table><thead><tr><th>Number</th><th>Subject</th><th>Team</th><th>State</th><th>Priority</th></tr></thead><tbody>${found
      .slice((current - 1) * PER_PAGE, current * PER_PAGE)
      .map(
        ({ number, subject, team, state, priority }) =>
          html`<tr><td><a href="/tickets/${number}">${number}</a></td><td>${subject}</td><td>${team}</td><td>${state}</td><td>${priority}</td></tr>`,
      )}</tbody></table></div>${pager(current, pages, (number) => withQuery('/', query, { page: String(number) }))}`,
  });
}

function ticketPage(visit: DeskVisit, tickets: readonly Ticket[]): Reply {
  const ticket = tickets.find(({ number }) => number === visit.params['number']);
  if (!ticket) return notFoundPage(visit);
  return deskPage(visit, {
    title: ticket.number,
    body: html`<h1>${ticket.number}: ${ticket.subject}</h1><dl class="pairs"><dt>Team</dt><dd>${ticket.team}</dd><dt>State</dt><dd>${ticket.state}</dd><dt>Priority</dt><dd>${ticket.priority}</dd><dt>Reported by</dt><dd>${ticket.reporter}</dd><dt>Hours spent</dt><dd>${ticket.hours}</dd></dl><h2>Conversation</h2><ul class="results"><li><strong>${ticket.reporter}</strong><br>${prose(ticket.number, REMARKS, 3).join(' ')}</li><li><strong>Service desk</strong><br>${prose(`${ticket.number} reply`, REMARKS, 2).join(' ')}</li></ul><p><a href="/">All tickets</a></p>`,
  });
}
