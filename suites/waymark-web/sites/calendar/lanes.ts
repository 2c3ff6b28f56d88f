/** Where the events of a day stand beside each other: those that overlap get lanes of their own, so that each can be seen and clicked. */
import { minutesOf, overlap } from './data.ts';

interface Span {
  readonly start: string;
  readonly end: string;
}

export interface Lane {
  readonly lane: number;
  /** Of this event and all that overlap with it, directly or through others. */
  readonly lanes: number;
}

/**
 * In the order of the events, which is that of their beginnings.
 *
 * @example
 * lanesOf([{ start: '09:00', end: '10:00' }, { start: '09:30', end: '11:00' }]); // => [{ lane: 0, lanes: 2 }, { lane: 1, lanes: 2 }]
 */
export function lanesOf(events: readonly Span[]): Lane[] {
  const lanes: number[] = [];
  let group: number[] = [];
  let until = '';
  const counts: number[] = [];
  for (const [index, event] of events.entries()) {
    if (event.start >= until) group = [];
    const taken = group.filter((other) => overlap(events[other] ?? event, event)).map((other) => lanes[other]);
    let lane = 0;
    while (taken.includes(lane)) lane++;
    lanes.push(lane);
    group.push(index);
    until = event.end > until ? event.end : until;
    const count = Math.max(...group.map((other) => lanes[other] ?? 0)) + 1;
    for (const member of group) counts[member] = count;
  }
  return lanes.map((lane, index) => ({ lane, lanes: counts[index] ?? 1 }));
}

/** The hours that a week shows: from eight to six, and more where an event needs it. */
export function hoursOf(events: readonly Span[]): { first: number; last: number } {
  const first = Math.min(8, ...events.map(({ start }) => Math.floor(minutesOf(start) / 60)));
  const last = Math.max(18, ...events.map(({ end }) => Math.ceil(minutesOf(end) / 60)));
  return { first, last };
}
