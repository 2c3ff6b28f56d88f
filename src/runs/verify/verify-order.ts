/** Whether the events of a journal can have happened in this way: every result has its call, steps are counted without a gap, time goes on. Pure. */
import { createHash } from 'node:crypto';
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import { type EventOf, isStep, type JournalEvent } from '../../events/index.ts';
import type { Discrepancy } from './discrepancy.ts';

export function orderDifferences(events: readonly JournalEvent[]): Discrepancy[] {
  const [start] = events;
  if (start?.type !== 'start' || start.kind === 'question') return [];
  // A trace that was imported is what its writer made of it.
  const calls = start.imported ? [] : callDifferences(events);
  return [...timeDifferences(events), ...calls, ...stepDifferences(events, start.task as EpisodeTaskSpec)];
}

/** The journal never stamps an event with less than the one before, whatever the clock does. */
function timeDifferences(events: readonly JournalEvent[]): Discrepancy[] {
  return events.flatMap(({ seq, time }, index) => {
    const before = events[index - 1]?.time ?? time;
    return time >= before ? [] : [order(seq, `at ${time}`, `not before ${before}`)];
  });
}

function callDifferences(events: readonly JournalEvent[]): Discrepancy[] {
  const open = new Map<string, EventOf<'tool_call'>>();
  const known = new Set<string>();
  const found: Discrepancy[] = [];
  for (const event of events) {
    if (event.type === 'tool_call') {
      if (known.has(event.callId)) found.push(order(event.seq, `call ${event.callId}`, 'there is one of this name'));
      known.add(event.callId);
      open.set(event.callId, event);
    } else if (event.type === 'tool_result') {
      if (!open.delete(event.callId)) found.push(order(event.seq, `result of ${event.callId}`, 'no call waits for it'));
      found.push(...resultDifference(event));
    } else if ('callId' in event && event.callId !== undefined && !known.has(event.callId))
      found.push(order(event.seq, `${event.type} of ${event.callId}`, 'there is no such call'));
  }
  // What cut off the attempt may have cut off a call; version 0.1.0 wrote no result for it.
  const stop = events.at(-1);
  if (stop?.type !== 'stop' || !['passed', 'failed', 'max_steps'].includes(stop.status)) return found;
  return [...found, ...[...open.values()].map(({ seq, callId }) => order(seq, `call ${callId}`, 'it has no result'))];
}

/** The digest is of the whole text, so that it can be compared where nothing was cut. */
function resultDifference({ seq, text, textLength, digest, cut }: EventOf<'tool_result'>): Discrepancy[] {
  if (cut || text.length !== textLength)
    return text.length <= textLength || cut ? [] : [{ seq, what: 'result', recorded: textLength, again: text.length }];
  const again = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return again === digest ? [] : [{ seq, what: 'result', recorded: digest, again }];
}

/** Numbers are given when a call is admitted: several lanes may write theirs in another order. */
function stepDifferences(events: readonly JournalEvent[], { maxSteps }: EpisodeTaskSpec): Discrepancy[] {
  const steps = events.filter((event): event is EventOf<'tool_call'> => event.type === 'tool_call' && isStep(event));
  const numbers = steps.map(({ step }) => step).sort((a, b) => a - b);
  const gap = numbers.findIndex((step, index) => step !== index + 1);
  const wrong = gap < 0 ? undefined : steps.find(({ step }) => step === numbers[gap]);
  const over = steps.find(({ step }) => step > maxSteps);
  return [
    ...(wrong ? [order(wrong.seq, `step ${wrong.step}`, `step ${gap + 1}`)] : []),
    ...(over ? [order(over.seq, `step ${over.step}`, `at most ${maxSteps}`)] : []),
  ];
}

function order(seq: number, recorded: string, again: string): Discrepancy {
  return { seq, what: 'order', recorded, again };
}
