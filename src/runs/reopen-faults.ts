/**
 * Cells to be tried once more when a run is resumed: their attempt ended by a fault that was not the agent's (the environment, the tool
 * server, the agent's connection to its model, a site that refuses). The attempt itself stays. An attempt whose grading failed only needs
 * another grade, and a guarded action would be refused again.
 */
import { WaymarkError } from '../errors/index.ts';
import { type AttemptRef, type Cell, type EventOf, episodeResult, type JournalEvent } from '../events/index.ts';
import { type OutcomeClass, outcomeClass } from '../metrics/index.ts';
import type { RunStore } from './run-store.ts';

const TRIED_AGAIN: ReadonlySet<OutcomeClass> = new Set([
  'env_error',
  'blocked_by_site',
  'server_error',
  'adapter_error',
]);

export async function reopenFaults(store: RunStore, runId: string): Promise<void> {
  await reopenWhere(store, runId, isFaulty);
}

/** Cells that did not pass, whatever kept them from it. An attempt that passed stays the one that counts. */
export async function reopenFailed(store: RunStore, runId: string): Promise<void> {
  await reopenWhere(store, runId, async (_, attempt) => !(await hasPassed(store, attempt)));
}

async function reopenWhere(
  store: RunStore,
  runId: string,
  isWanted: (store: RunStore, attempt: AttemptRef) => Promise<boolean>,
): Promise<void> {
  const wanted: Cell[] = [];
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    if (!counted) continue;
    if (await isWanted(store, { runId, caseId, trial, attempt: counted.attempt })) wanted.push({ caseId, trial });
  }
  await store.reopen(runId, wanted);
}

/** By the grader that decides. */
async function hasPassed(store: RunStore, attempt: AttemptRef): Promise<boolean> {
  try {
    const events: JournalEvent[] = [];
    for await (const event of store.events(attempt)) events.push(event);
    return episodeResult(events, {
      artifacts: { eventsJsonl: '', reportJson: '' },
      grades: await store.grades(attempt),
    }).success;
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'journal_corrupt') return false;
    throw error;
  }
}

async function isFaulty(store: RunStore, attempt: AttemptRef): Promise<boolean> {
  let isClean = true;
  let stop: EventOf<'stop'> | undefined;
  try {
    for await (const event of store.events(attempt)) {
      if (event.type === 'reset') isClean = event.ok;
      if (event.type === 'stop') stop = event;
    }
  } catch (error) {
    // A damaged journal has no result: it stays as an earlier attempt.
    if (error instanceof WaymarkError && error.code === 'journal_corrupt') return true;
    throw error;
  }
  return stop !== undefined && TRIED_AGAIN.has(outcomeClass(stop.status, isClean ? stop.cause : 'reset'));
}
