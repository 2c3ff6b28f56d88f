/**
 * Stops a run that workers execute, and lets it go on. Workers hear of a stop and abort what they have: these attempts stay, interrupted, and
 * their cells wait, as those that were never begun do. Nothing of it counts as a failure.
 */
import { eq, sql } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { appendRunLog, isUuid, type Queryable, type Store, schema, type Transaction } from '../../store/index.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { reopenFaults } from '../reopen-faults.ts';
import type { WorkContext } from './create-work-run.ts';
import { WORK_TOPIC } from './work-rows.ts';

const { run, runWork } = schema;

/** Whether workers execute the run; others are runs of stored datasets, which the server executes. */
export async function isWorkRun(db: Queryable, runId: string): Promise<boolean> {
  return isUuid(runId) && (await db.$count(runWork, eq(runWork.runId, runId))) > 0;
}

export async function stopWorkRun(
  { store, now }: { store: Store; now: () => Date },
  runId: string,
): Promise<{ run_id: string; status: 'cancelled' }> {
  return await store.db.transaction(async (tx) => {
    const { status } = await lockRun(tx, runId);
    if (status === 'completed' || status === 'failed')
      throw new WaymarkError({
        code: 'run_finished',
        message: `The run has ${status}: there is nothing left to stop.`,
      });
    if (status !== 'cancelled') {
      const { finished, total } = await countCells(tx, runId);
      await tx
        .update(run)
        .set({ status: 'cancelled', statusReason: 'The run was stopped.', finishedAt: now(), updatedAt: sql`now()` })
        .where(eq(run.id, runId));
      const message = `The run was stopped: ${finished} of ${total} have ended. The others wait until it is resumed.`;
      await appendRunLog(store, tx, runId, [{ level: 'warning', code: 'run_cancelled', message }]);
      await store.signals.send(tx, WORK_TOPIC);
    }
    return { run_id: runId, status: 'cancelled' as const };
  });
}

/** What was not finished, could not be begun, or ended by a fault that was not the agent's gets another attempt. What has ended otherwise stays. */
export async function resumeWorkRun(
  { store, artifacts }: WorkContext,
  runId: string,
): Promise<{ run_id: string; status: 'running'; items: number }> {
  const { status } = await store.db.transaction((tx) => lockRun(tx, runId));
  if (status === 'queued' || status === 'running')
    throw new WaymarkError({ code: 'run_under_way', message: `The run is ${status}: it goes on by itself.` });
  await reopenFaults(new DatabaseRunStore({ store, artifacts }), runId);
  return await store.db.transaction(async (tx) => {
    await lockRun(tx, runId);
    await tx.execute(sql`update cell set state = 'pending' where run_id = ${runId} and state = 'missing'`);
    const { finished, total } = await countCells(tx, runId);
    const items = total - finished;
    if (items === 0 && status === 'completed')
      throw new WaymarkError({
        code: 'run_completed',
        message: 'Every attempt of the run has ended, and none by a fault: there is nothing to try again.',
      });
    await tx
      .update(run)
      .set({ status: 'running', statusReason: null, finishedAt: null, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    const message = `The run is resumed: ${finished} of ${total} have ended.`;
    await appendRunLog(store, tx, runId, [{ level: 'info', code: 'run_resumed', message }]);
    await store.signals.send(tx, WORK_TOPIC);
    return { run_id: runId, status: 'running' as const, items };
  });
}

async function lockRun(tx: Transaction, runId: string) {
  const [row] = isUuid(runId)
    ? await tx.select({ status: run.status }).from(run).where(eq(run.id, runId)).for('update')
    : [];
  if (!row || !(await isWorkRun(tx, runId))) throw notFound('run', runId);
  return row;
}

async function countCells(tx: Transaction, runId: string): Promise<{ finished: number; total: number }> {
  const { rows } = await tx.execute<{ finished: number; total: number }>(sql`
    select count(*) filter (where state = 'finished')::int as finished, count(*)::int as total
    from cell where run_id = ${runId}`);
  return rows[0] ?? { finished: 0, total: 0 };
}
