/**
 * Deletes a run with all that belongs to it alone: cells, attempts, grades, its log, its import, and the artifacts of its attempts. Dataset,
 * provider, pack and schedule stay. The rows go in one transaction; the artifacts after it, so that no row ever names one that is gone.
 * Scoring that no worker has begun is no hindrance, because there may never be a worker: its job finds no run, and ends.
 */
import { and, eq, inArray } from 'drizzle-orm';
import { notFound, WaymarkError } from '../errors/index.ts';
import { type Artifacts, isUuid, type Queue, type Store, schema, type Transaction } from '../store/index.ts';
import { runPrefix } from './database/attempt-columns.ts';
import { FURTHER_QUEUE } from './further-grading/ask-further.ts';
import { GRADE_QUEUE } from './grading/enqueue-grading.ts';

const { furtherGrading, run } = schema;

export async function deleteRun(
  { store, queue, artifacts }: { store: Store; queue: Pick<Queue, 'isHeld'>; artifacts: Artifacts },
  id: string,
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(run).where(eq(run.id, id)).for('update') : [];
    if (!row) throw notFound('run', id);
    await refuseUnderWay(tx, queue, row);
    // Triggers and foreign keys delete the rows that belong to it.
    await tx.delete(run).where(eq(run.id, id));
  });
  // Every artifact below this prefix was written for an attempt of this run.
  for await (const { key } of artifacts.list(runPrefix(id))) await artifacts.delete(key);
}

async function refuseUnderWay(
  tx: Transaction,
  queue: Pick<Queue, 'isHeld'>,
  row: typeof run.$inferSelect,
): Promise<void> {
  if (row.status === 'queued' || row.status === 'running') {
    throw new WaymarkError({
      code: 'run_under_way',
      message: `The run is ${row.status}: it can't be deleted.`,
      hint: 'Cancel it first, or wait until it has ended.',
    });
  }
  const isScoring = row.gradingStatus === 'queued' || row.gradingStatus === 'running';
  if (isScoring && (await queue.isHeld(tx, GRADE_QUEUE, { run_id: row.id }))) {
    throw new WaymarkError({
      code: 'scoring_under_way',
      message: "The run is being scored: it can't be deleted.",
      hint: 'Wait until that has ended.',
    });
  }
  const open = and(eq(furtherGrading.runId, row.id), inArray(furtherGrading.status, ['queued', 'running']));
  for (const { id } of await tx.select({ id: furtherGrading.id }).from(furtherGrading).where(open)) {
    if (!(await queue.isHeld(tx, FURTHER_QUEUE, { grading_id: id }))) continue;
    throw new WaymarkError({
      code: 'grading_under_way',
      message: "The run is being graded by further graders: it can't be deleted.",
      hint: 'Wait until that has ended.',
    });
  }
}
