/** Questions that ended with an error are asked once more when a run is resumed: the error was the provider's, and no answer. Their attempts stay. */
import { attemptFold, type Cell, type JournalEvent } from '../events/index.ts';
import type { RunStore } from './run-store.ts';

export async function reopenErrors(store: RunStore, runId: string): Promise<void> {
  const errored: Cell[] = [];
  for await (const { caseId, trial, attempts } of store.cells(runId)) {
    const counted = attempts.findLast(({ finished }) => finished);
    if (!counted) continue;
    const events: JournalEvent[] = [];
    for await (const event of store.events({ runId, caseId, trial, attempt: counted.attempt })) events.push(event);
    if (attemptFold(events).result === 'error') errored.push({ caseId, trial });
  }
  await store.reopen(runId, errored);
}
