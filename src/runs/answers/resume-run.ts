/** Resumes a run that has ended: what has no answer is asked as a new attempt. What was answered is not asked again. */
import { and, eq, or, sql } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { appendRunLog, isUuid, schema } from '../../store/index.ts';
import { enqueueLaunch } from './enqueue-launch.ts';
import { countItems, kept } from './item-counts.ts';
import type { LaunchContext } from './launch-run.ts';

const { cell, run } = schema;

export async function resumeRun(
  { store, queue }: Pick<LaunchContext, 'store' | 'queue'>,
  id: string,
): Promise<{ run_id: string; status: 'queued'; items: number }> {
  return await store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(run).where(eq(run.id, id)).for('update') : [];
    if (!row) throw notFound('run', id);
    refuse(row);
    // Earlier attempts stay as they are: these cells get another one.
    await tx
      .update(cell)
      .set({ state: 'pending' })
      .where(
        and(
          eq(cell.runId, id),
          or(eq(cell.state, 'missing'), and(eq(cell.state, 'finished'), eq(cell.result, 'error'))),
        ),
      );
    const counts = await countItems(tx, id);
    if (row.status === 'completed' && counts.pending === 0) {
      throw new WaymarkError({
        code: 'run_completed',
        message: 'Every item of the run was answered: there is nothing to ask again.',
      });
    }
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

function refuse({ status, gradingStatus, providerSurface }: typeof run.$inferSelect): void {
  if (providerSurface !== 'api') {
    throw new WaymarkError({
      code: 'provider_not_api',
      message: 'The run is an imported capture: its items are asked in the chat page, not by this server.',
      hint: 'Capture the missing items in the chat page, and import that capture.',
    });
  }
  if (status === 'queued' || status === 'running') {
    throw new WaymarkError({ code: 'run_under_way', message: `The run is ${status}: it goes on by itself.` });
  }
  if (gradingStatus === 'queued' || gradingStatus === 'running') {
    throw new WaymarkError({
      code: 'scoring_under_way',
      message: 'What was answered is being scored.',
      hint: 'Wait until that has ended.',
    });
  }
}
