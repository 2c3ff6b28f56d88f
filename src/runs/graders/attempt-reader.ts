/** An attempt of a store, as graders read it. */
import { type EpisodeTaskSpec, itemSchema } from '../../cases/index.ts';
import { type AttemptRef, agentResult, attemptFold, type JournalEvent } from '../../events/index.ts';
import type { AttemptReader, GradedCase } from '../../graders/index.ts';
import type { RunStore } from '../run-store.ts';

export interface ReadAttempt {
  readonly store: RunStore;
  readonly ref: AttemptRef;
  readonly oracleSteps?: number | undefined;
  /** The case as the store keeps it: the journal of a stored question does not hold it. */
  readonly snapshot?: unknown;
}

/** Undefined where the journal says of no case what it is about. */
export async function readAttempt({
  store,
  ref,
  oracleSteps,
  snapshot,
}: ReadAttempt): Promise<AttemptReader | undefined> {
  const events: JournalEvent[] = [];
  for await (const event of store.events(ref)) events.push(event);
  const subject = subjectOf(events, snapshot);
  if (!subject) return undefined;
  return {
    ref,
    subject,
    answer: subject.kind === 'question' ? attemptFold(events).answer : (agentResult(events)?.finalAnswer ?? null),
    events,
    ...(oracleSteps === undefined ? {} : { oracleSteps }),
    artifact: (key) => store.artifact(ref, key),
  };
}

function subjectOf([start]: readonly JournalEvent[], snapshot: unknown): GradedCase | undefined {
  if (start?.type !== 'start') return undefined;
  // The journal is one that this program wrote: its task was checked before it was run.
  if (start.kind !== 'question') return { kind: 'task', task: start.task as EpisodeTaskSpec };
  const item = itemSchema.safeParse(start.task ?? snapshot).data;
  return item && { kind: 'question', item };
}
