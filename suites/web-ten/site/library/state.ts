/** What the library remembers of one visitor. */
import type { Handler, Visit, VisitorState } from '../site.ts';

export interface Reservation {
  readonly title: string;
  readonly card: string;
  readonly branch: string;
  readonly notify: string;
}

export interface Booking {
  readonly room: string;
  readonly day: string;
  readonly from: string;
  readonly until: string;
  readonly people: number;
  readonly purpose: string;
  readonly card: string;
  readonly equipment: readonly string[];
}

export interface LibraryState extends VisitorState {
  readonly reservations: Reservation[];
  /** How often a reservation was sent: the first two times, something goes wrong. */
  sent: number;
  /** The survey is shown once, on the second form. */
  forms: number;
  readonly bookings: Map<string, Booking>;
}

export type LibraryVisit = Visit<LibraryState>;
export type LibraryHandler = Handler<LibraryState>;

export const CARD = /^HC-\d{3}-\d{3}$/;
export const CARD_PROBLEM = 'A card number looks like HC-123-456.';
