/** What happened in a run, one line each: attempts that began, their steps, how they ended. A fold of journals, so that it is the same whenever it is read. */
import type { EventOf, JournalEvent } from '../events/index.ts';
import type { OutcomeClass } from '../metrics/index.ts';
import { isAgentOutcome, outcomeClass } from '../metrics/index.ts';
import { signed } from './amounts.ts';
import type { Tone } from './attempt-row.ts';
import { short } from './clip.ts';

/** Lines that are kept: more than a page shows, and few enough to be sent again and again. */
export const FEED_LENGTH = 200;

export interface FeedEntry {
  /** Unique in the run. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** Of the cell: `e1` is the first of the plan. */
  id: string;
  caseId: string;
  trial: number;
  attempt: number;
  kind: 'began' | 'step' | 'ended';
  tone: Tone;
  text: string;
}

type AttemptOfFeed = Pick<FeedEntry, 'id' | 'caseId' | 'trial' | 'attempt'>;

/** The lines of one attempt, oldest first. */
export function feedOf(attempt: AttemptOfFeed, events: readonly JournalEvent[]): FeedEntry[] {
  const scores = new Map<string, number>();
  for (const event of events)
    if (event.type === 'reward' && event.callId !== undefined && !event.final) scores.set(event.callId, event.score);
  const isClean = !events.some((event) => event.type === 'reset' && !event.ok);
  const entries = events.flatMap((event): FeedEntry[] => {
    const line = (kind: FeedEntry['kind'], tone: Tone, text: string): FeedEntry[] => [
      { key: keyOf(attempt, event.seq), at: event.time, ...attempt, kind, tone, text: short(text, 240) },
    ];
    if (event.type === 'start')
      return line('began', 'open', attempt.attempt > 1 ? `attempt ${attempt.attempt} began` : 'began');
    if (event.type === 'tool_call' && event.step > 0 && !event.continues)
      return line('step', 'open', stepText(event, scores.get(event.callId)));
    if (event.type === 'stop') return line('ended', ...endOf(event, isClean));
    return [];
  });
  return entries.slice(-FEED_LENGTH);
}

/** An attempt that could not be begun has no journal. */
export function notBegunEntry(
  attempt: AttemptOfFeed,
  at: number,
  why: { reason: string; outcome: OutcomeClass },
): FeedEntry {
  const text = short(`could not be begun (${why.outcome}): ${why.reason}`, 240);
  return { key: keyOf(attempt, 0), at, ...attempt, kind: 'ended', tone: 'fault', text };
}

/** The newest lines of a run, after the lines of one of its cells have changed. */
export function mergedFeed(feed: readonly FeedEntry[], id: string, of: readonly FeedEntry[]): readonly FeedEntry[] {
  const others = feed.filter((entry) => entry.id !== id);
  const oldest = others[0];
  const isOld = others.length >= FEED_LENGTH && oldest !== undefined && of.every((entry) => order(entry, oldest) < 0);
  if (isOld && others.length === feed.length) return feed;
  return [...others, ...of].sort(order).slice(-FEED_LENGTH);
}

function order(a: FeedEntry, b: FeedEntry): number {
  return a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Sorts in the order of the plan and of the journal. */
function keyOf({ id, attempt }: AttemptOfFeed, seq: number): string {
  const padded = (value: number | string) => String(value).padStart(9, '0');
  return `${padded(id.slice(1))}.${padded(attempt)}.${padded(seq)}`;
}

function stepText({ step, tool, executorId }: EventOf<'tool_call'>, score: number | undefined): string {
  const lane = executorId === undefined ? '' : ` in ${executorId}`;
  return `step ${step}${lane}: ${tool}${score === undefined ? '' : ` (${signed(score)})`}`;
}

function endOf({ status, cause, reason, interrupted }: EventOf<'stop'>, isClean: boolean): [Tone, string] {
  if (interrupted) return ['fault', `interrupted: ${reason}`];
  const outcome = outcomeClass(status, isClean ? cause : 'reset');
  const tone = outcome === 'passed' ? 'good' : isAgentOutcome(outcome) ? 'bad' : 'fault';
  return [tone, outcome === 'passed' ? reason : `${outcome}: ${reason}`];
}
