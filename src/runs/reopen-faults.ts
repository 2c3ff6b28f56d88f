/**
 * Cells to be tried once more when a run is resumed: their attempt ended by a fault that was not the agent's (the environment, the tool
 * server, the agent's connection to its model, a site that refuses). The attempt itself stays. An attempt whose grading failed only needs
 * another grade, and a guarded action would be refused again.
 */
import { WaymarkError } from '../errors/index.ts';
import type { AttemptRef, Cell, EventOf } from '../events/index.ts';
import { type OutcomeClass, outcomeClass } from '../metrics/index.ts';
import type { RunStore } from './run-store.ts';

const TRIED_AGAIN: ReadonlySet<OutcomeClass> = new Set([
  'env_error',
  'blocked_by_site',
  'server_error',
  'adapter_error',
]);

export async function reopenFaults(store: RunStore, runId: string): Promise<void> {
  const faulty: Cell[] = [];
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    if (!counted) continue;
    if (await isFaulty(store, { runId, caseId, trial, attempt: counted.attempt })) faulty.push({ caseId, trial });
  }
  await store.reopen(runId, faulty);
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
