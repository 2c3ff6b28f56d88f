/** The worker of further gradings on a server: its queue, its limits, and what becomes of a job that could not be finished or was lost. */
import { inArray } from 'drizzle-orm';
import { type Queue, type Store, schema } from '../../store/index.ts';
import { enqueueFurther, FURTHER_QUEUE } from './ask-further.ts';
import { furtherRequestSchema } from './further-request.ts';
import { endFurther } from './further-rows.ts';
import { type FurtherOptions, furtherJobSchema, gradeFurther } from './grade-further.ts';

/** Runs that are graded at once; of one judge, only one: its provider counts calls, not runs. */
const CONCURRENCY = 2;
const PER_JUDGE = 1;

const { furtherGrading } = schema;

export function defineFurther(queue: Queue): Promise<void> {
  return queue.define(FURTHER_QUEUE);
}

export async function startFurther(queue: Queue, options: FurtherOptions): Promise<void> {
  await defineFurther(queue);
  await queue.work(FURTHER_QUEUE, (job) => gradeFurther(job, options), {
    concurrency: CONCURRENCY,
    groupConcurrency: PER_JUDGE,
    onDead: async ({ data, reason }) => {
      const job = furtherJobSchema.safeParse(data);
      if (job.success) await endFurther(options.store, job.data.grading_id, new Date(), reason);
    },
  });
}

/** Gradings that wait for a worker while no queue knows of them, as after a restore. @returns how many there were. */
export async function requeueFurther(store: Store, queue: Queue): Promise<number> {
  const open = await store.db
    .select({ id: furtherGrading.id, request: furtherGrading.request })
    .from(furtherGrading)
    .where(inArray(furtherGrading.status, ['queued', 'running']));
  const known = new Set(
    (await queue.unfinished(FURTHER_QUEUE)).map((data) => furtherJobSchema.safeParse(data).data?.grading_id),
  );
  let found = 0;
  for (const { id, request } of open.filter((one) => !known.has(one.id))) {
    const judge = furtherRequestSchema.safeParse(request).data?.judge;
    if (await store.db.transaction((tx) => enqueueFurther(queue, tx, id, { judge }))) found += 1;
  }
  return found;
}
