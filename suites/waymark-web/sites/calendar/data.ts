/** Almanac: events of four weeks, invitations and rooms. There is no clock: today is always Monday, 4 May 2026. */
import { type Random, seeded, seedOf } from '../../../shared/random.ts';
import { peopleOf } from '../../frame/people.ts';

export const TODAY = '2026-05-04';
export const ROOMS = ['Alder', 'Birch', 'Cedar'] as const;
/** Hours from the time of the calendar; none of them changes its clocks in these weeks. */
export const ZONES: Readonly<Record<string, number>> = { Berlin: 0, London: -1, 'New York': -6, Tokyo: 7, Delhi: 3.5 };

export interface Event {
  title: string;
  day: string;
  /** `09:30`. */
  start: string;
  end: string;
  room: string;
  /** The event is also on the same weekday of the following weeks. */
  readonly isWeekly: boolean;
  /** Days of a weekly event on which it is not. */
  skips: string[];
}

export interface Invitation {
  readonly title: string;
  readonly from: string;
  readonly day: string;
  readonly start: string;
  readonly end: string;
  answer: 'open' | 'accepted' | 'declined';
}

export interface CalendarData {
  readonly me: string;
  /** `e-12`. */
  readonly events: Record<string, Event>;
  readonly invitations: Record<string, Invitation>;
}

const WEEKLY = ['Team meeting', 'Plan the week', 'Language course', 'Open door'];
const ONCE = [
  'Budget talk',
  'Dentist',
  'Visit to the printer',
  'Interview',
  'Safety walk',
  'Photo day',
  'Supplier call',
  'Budget review',
  'Press call',
  'Museum visit',
  'Design review',
  'Server move',
];
const INVITED = ['Lunch with the board', 'Workshop on signs', 'Review of the stand'];

/** @example dayAfter('2026-05-04', 7); // => '2026-05-11' */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

export function clock(minutes: number): string {
  const whole = ((minutes % 1440) + 1440) % 1440;
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The events of a day, weekly ones too, by their start. */
export function eventsOn({ events }: Pick<CalendarData, 'events'>, day: string): [string, Event][] {
  const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
  return Object.entries(events)
    .filter(
      ([, event]) =>
        event.day === day ||
        (event.isWeekly && day > event.day && weekday(day) === weekday(event.day) && !event.skips.includes(day)),
    )
    .filter(([, event]) => !event.skips.includes(day))
    .sort(([, a], [, b]) => a.start.localeCompare(b.start));
}

export function overlap(a: { start: string; end: string }, b: { start: string; end: string }): boolean {
  return a.start < b.end && b.start < a.end;
}

export function makeCalendar(seed: number): CalendarData {
  const random = seeded(seedOf('calendar', seed));
  const { me, others } = peopleOf(seed);
  const events: Record<string, Event> = {};
  const add = (title: string, isWeekly: boolean, day: string, room: string, index: number): void => {
    // No two events of a day overlap: each has a slot of its own.
    const taken = eventsOn({ events }, day).map(([, event]) => event);
    const slot = SLOTS.map((start) => ({ start: clock(start), end: clock(start + 45 + 15 * (index % 3)) })).find(
      (time) => !taken.some((event) => overlap(event, time)),
    );
    if (slot) events[`e-${11 + index}`] = { title, day, ...slot, room, isWeekly, skips: [] };
  };
  const days = random.shuffle(Array.from({ length: 12 }, (_, index) => index));
  const weekdays = random.shuffle([0, 1, 2, 3, 4]);
  WEEKLY.forEach((title, index) => {
    add(title, true, dayAfter(TODAY, weekdays[index] ?? 0), random.pick(ROOMS), index);
  });
  random.shuffle(ONCE).forEach((title, index) => {
    const number = days[index] ?? 0;
    add(title, false, dayAfter(TODAY, 7 * (1 + Math.floor(number / 5)) + (number % 5)), random.pick(ROOMS), 4 + index);
  });
  const names = others.map(({ name }) => name);
  return { me: me.name, events, invitations: invitationsFor(events, random, names) };
}

const SLOTS = [540, 630, 720, 840, 930, 1020];

/** One of them is free of conflicts; the others begin during an event. */
function invitationsFor(
  events: Record<string, Event>,
  random: Random,
  names: readonly string[],
): Record<string, Invitation> {
  const isNextWeek = (day: string): boolean => day >= dayAfter(TODAY, 7) && day < dayAfter(TODAY, 14);
  const single = random.shuffle(Object.values(events).filter(({ isWeekly, day }) => !isWeekly && isNextWeek(day)));
  const free = random.int(0, INVITED.length - 1);
  const first = random.int(100, 900);
  return Object.fromEntries(
    INVITED.map((title, index): [string, Invitation] => {
      const { day = TODAY, start = '09:00' } = single[index] ?? {};
      // Nothing begins before nine or goes on after six in the evening.
      const from = index === free ? 18 * 60 + 30 : minutesOf(start) + 15;
      return [
        `i-${first + index}`,
        { title, from: random.pick(names), day, start: clock(from), end: clock(from + 60), answer: 'open' },
      ];
    }),
  );
}
