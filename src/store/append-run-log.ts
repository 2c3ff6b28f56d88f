/** Adds lines to a run's log, and notifies the watchers of the run. */
import { eq, sql } from 'drizzle-orm';
import { WaymarkError } from '../errors/index.ts';
import type { Transaction } from './database.ts';
import { run } from './schema/run.ts';
import { runLog } from './schema/run-log.ts';
import type { Store } from './store.ts';

export type RunLogLine = Pick<typeof runLog.$inferInsert, 'level' | 'code' | 'message' | 'data'>;

export const runTopic = (runId: string): string => `run:${runId}`;
/** Any run: made, or another status. Told by the triggers that write its events. */
export const RUNS_TOPIC = 'runs';

/**
 * The run's row is locked by the count until commit, so that lines become visible in the order of their numbers: a reader
 * that has seen number 5 will never find a new number 4.
 */
export async function appendRunLog(
  store: Pick<Store, 'signals'>,
  tx: Transaction,
  runId: string,
  lines: readonly RunLogLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const [counted] = await tx
    .update(run)
    .set({ logSeq: sql`${run.logSeq} + ${lines.length}` })
    .where(eq(run.id, runId))
    .returning({ last: run.logSeq });
  if (!counted) throw new WaymarkError({ code: 'run_not_found', message: `There is no run ${runId}.` });
  const first = counted.last - lines.length + 1;
  await tx.insert(runLog).values(lines.map((line, index) => ({ ...line, runId, seq: first + index })));
  await store.signals.send(tx, runTopic(runId));
}
