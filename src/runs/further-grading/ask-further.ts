/** Asks for a finished run to be graded by further graders: the request and its job, in one transaction. */
import { eq } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import type { CallContext } from '../../models/index.ts';
import { appendRunLog, isUuid, type Queue, type Store, schema, type Transaction } from '../../store/index.ts';
import { checkGraders, type FurtherRequest } from './further-request.ts';
import { getFurther, type ListedGrading, namesOf } from './further-rows.ts';
import { prepareFurther } from './prepare-further.ts';

export const FURTHER_QUEUE = 'runs.grade';

const { furtherGrading, run } = schema;

export async function askFurther(
  { store, queue, context }: { store: Store; queue: Queue; context: CallContext },
  runId: string,
  request: FurtherRequest,
): Promise<ListedGrading> {
  checkGraders(request);
  // What the worker could not use is said to the one who asks.
  await prepareFurther(request, { db: store.db, context });
  return await store.db.transaction(async (tx) => {
    const [row] = isUuid(runId) ? await tx.select().from(run).where(eq(run.id, runId)).for('update') : [];
    if (!row) throw notFound('run', runId);
    if (row.status === 'queued' || row.status === 'running') {
      throw new WaymarkError({
        code: 'run_not_finished',
        message: `The run is ${row.status}: it is graded when it has ended.`,
      });
    }
    const [asked] = await tx
      .insert(furtherGrading)
      .values({ runId, request: { ...request } })
      .onConflictDoNothing()
      .returning({ id: furtherGrading.id });
    if (!asked) {
      throw new WaymarkError({
        code: 'grading_under_way',
        message: 'The run is being graded by further graders.',
        hint: 'Wait until that has ended.',
      });
    }
    const { id } = asked;
    const message = `Grading by ${namesOf({ request })} waits for a worker.`;
    await appendRunLog(store, tx, runId, [
      { level: 'info', code: 'grading_queued', message, data: { grading_id: id } },
    ]);
    await enqueueFurther(queue, tx, id, request);
    return await getFurther(tx, runId, id);
  });
}

/** The job alone. @returns whether it was taken: a grading has one at a time. */
export async function enqueueFurther(
  queue: Pick<Queue, 'enqueue'>,
  tx: Transaction,
  id: string,
  { judge }: Pick<FurtherRequest, 'judge'>,
): Promise<boolean> {
  const options = { singletonKey: id, ...(judge ? { group: judge.provider_id } : {}) };
  return (await queue.enqueue(tx, FURTHER_QUEUE, { grading_id: id }, options)) !== null;
}
