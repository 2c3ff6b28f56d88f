/** What the asking worker reads and writes about its run. The attempts are the store's. */
import { eq, sql } from 'drizzle-orm';
import { appendRunLog, type RunLogLine, type Store, schema } from '../../store/index.ts';
import { releaseClaims } from '../database/claims.ts';
import { countItems, type ItemCounts, kept } from './item-counts.ts';
import { lockLaunch } from './lock-launch.ts';

const { run } = schema;

export async function beginAsking(store: Store, runId: string, launch: number, now: Date) {
  return await store.db.transaction(async (tx) => {
    const row = await lockLaunch(tx, runId, launch);
    if (!row) return undefined;
    // One job at a time asks the questions of a run, so a worker that still holds claims has died.
    await releaseClaims(tx, runId);
    const counts = await countItems(tx, runId);
    await tx
      .update(run)
      .set({ status: 'running', startedAt: row.startedAt ?? now, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      row.status === 'queued'
        ? {
            level: 'info',
            code: 'run_started',
            message: `${counts.pending} items are being asked.`,
            data: { attempt: launch },
          }
        : {
            level: 'warning',
            code: 'run_interrupted',
            message: `Asking was interrupted, and goes on: ${counts.pending} of ${counts.expected} items have no answer yet. Calls that were under way are made again.`,
            data: { attempt: launch, pending: counts.pending },
          },
    ]);
    return { row, counts };
  });
}

/** Numbers for lists, and lines for those who watch. */
export async function tellProgress(
  store: Store,
  runId: string,
  launch: number,
  counts: ItemCounts,
  lines: readonly RunLogLine[],
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const row = await lockLaunch(tx, runId, launch);
    if (!row) return;
    await tx
      .update(run)
      .set({ counts: { ...row.counts, ...kept(counts) }, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, lines);
  });
}
