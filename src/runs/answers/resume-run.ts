/** Takes up a failed or cancelled run again: what has no answer is asked, as a new attempt. What was answered is not asked again. */
import { and, eq, inArray, sql } from 'drizzle-orm';
import { notFound, StoreRefusal } from '../../errors/index.ts';
import { appendRunLog, isUuid, schema } from '../../store/index.ts';
import { enqueueLaunch } from './enqueue-launch.ts';
import { countItems, kept } from './item-counts.ts';
import type { LaunchContext } from './launch-run.ts';

const { run, runItem } = schema;

export async function resumeRun(
  { store, queue }: Omit<LaunchContext, 'now'>,
  id: string,
): Promise<{ run_id: string; status: 'queued'; items: number }> {
  return await store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(run).where(eq(run.id, id)).for('update') : [];
    if (!row) throw notFound('run', id);
    refuse(row);
    await tx
      .update(runItem)
      .set({
        status: 'pending',
        response: null,
        errorCode: null,
        errorMessage: null,
        modelLabel: null,
        startedAt: null,
        finishedAt: null,
        latencyMs: null,
      })
      .where(and(eq(runItem.runId, id), inArray(runItem.status, ['missing', 'error'])));
    const counts = await countItems(tx, id);
    const attempt = row.launchAttempt + 1;
    await tx
      .update(run)
      .set({
        status: 'queued',
        statusReason: null,
        finishedAt: null,
        launchAttempt: attempt,
        counts: { ...row.counts, ...kept(counts) },
        updatedAt: sql`now()`,
      })
      .where(eq(run.id, id));
    await appendRunLog(store, tx, id, [
      {
        level: 'info',
        code: 'run_resume_queued',
        message: `${counts.pending} of ${counts.expected} items wait to be asked once more.`,
        data: { attempt, pending: counts.pending },
      },
    ]);
    await enqueueLaunch(queue, tx, id, attempt);
    return { run_id: id, status: 'queued' as const, items: counts.pending };
  });
}

function refuse({ status, scoringStatus }: typeof run.$inferSelect): void {
  if (status === 'queued' || status === 'running') {
    throw new StoreRefusal(409, 'run_under_way', `The run is ${status}: it goes on by itself.`);
  }
  if (status === 'completed') {
    throw new StoreRefusal(409, 'run_completed', 'The run is completed: only failed and cancelled runs are resumed.');
  }
  if (scoringStatus === 'queued' || scoringStatus === 'running') {
    throw new StoreRefusal(
      409,
      'scoring_under_way',
      'What was answered is being scored.',
      'Wait until that has ended.',
    );
  }
}
