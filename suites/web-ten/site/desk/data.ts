/** The tickets of a service desk: 320 of them, from a seed. */
import { seeded } from '../../../shared/random.ts';

export const TEAMS = ['Accounts', 'Hardware', 'Network', 'Printing', 'Software'];
export const STATES = ['open', 'waiting', 'solved'];
export const PRIORITIES = ['low', 'normal', 'high', 'urgent'];
const THINGS = [
  'Laptop',
  'Screen',
  'Wireless',
  'Printer',
  'Calendar',
  'Telephone',
  'Scanner',
  'Dock',
  'Cable',
  'Badge reader',
];
const TROUBLES = [
  'does not start',
  'is slow in the morning',
  'shows a blank page',
  'was left behind',
  'makes a noise',
  'lost its settings',
  'asks twice',
  'needs a new place',
];
const PEOPLE = ['A. Moor', 'B. Stein', 'C. Vogel', 'D. Wirth', 'E. Zorn', 'F. Adler', 'G. Busch', 'H. Conrad'];

export interface Ticket {
  readonly number: string;
  readonly subject: string;
  readonly team: string;
  readonly state: string;
  readonly priority: string;
  readonly reporter: string;
  readonly hours: number;
}

const SEED = 5533;
const COUNT = 320;

export function makeTickets(): Ticket[] {
  const random = seeded(SEED);
  return Array.from({ length: COUNT }, (_, index) => ({
    number: `K-${2001 + index}`,
    subject: `${random.pick(THINGS)} ${random.pick(TROUBLES)}`,
    team: random.pick(TEAMS),
    state: random.pick(STATES),
    priority: random.pick(PRIORITIES),
    reporter: random.pick(PEOPLE),
    hours: random.int(1, 60),
  }));
}

export interface Filter {
  readonly team: string;
  readonly state: string;
  readonly priority: string;
}

/** An empty text means any. */
export function filtered(tickets: readonly Ticket[], { team, state, priority }: Filter): Ticket[] {
  return tickets.filter(
    (ticket) =>
      (team === '' || ticket.team === team) &&
      (state === '' || ticket.state === state) &&
      (priority === '' || ticket.priority === priority),
  );
}
