/**
 * Runs that wait for a worker while no queue knows of them: after a restore, whose archive has no jobs, or whatever else lost one. Looked for
 * at every start. The queue takes one job a key, so that several servers that start at once enqueue each of them once.
 */
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { z } from 'zod';
import { appendRunLog, type Queue, type Store, schema, type Transaction } from '../../store/index.ts';
import { enqueueGradingJob, GRADE_QUEUE } from '../grading/enqueue-grading.ts';
import { enqueueLaunch, LAUNCH_QUEUE } from './enqueue-launch.ts';

const { run } = schema;

interface Work {
  name: string;
  what: 'Asking' | 'Scoring';
  status: typeof run.status | typeof run.gradingStatus;
  attempt: typeof run.launchAttempt | typeof run.gradingRound;
  enqueue: (queue: Queue, tx: Transaction, found: Waiting) => Promise<boolean>;
}

interface Waiting {
  id: string;
  attempt: number;
  judgeProviderId: string | null;
}

const WORKS: readonly Work[] = [
  {
    name: LAUNCH_QUEUE,
    what: 'Asking',
    status: run.status,
    attempt: run.launchAttempt,
    enqueue: (queue, tx, { id, attempt }) => enqueueLaunch(queue, tx, id, attempt),
  },
  {
    name: GRADE_QUEUE,
    what: 'Scoring',
    status: run.gradingStatus,
    attempt: run.gradingRound,
    enqueue: (queue, tx, { id, ...found }) => enqueueGradingJob(queue, tx, { runId: id, ...found }),
  },
];

/** @returns how many jobs were lost, and are there again. */
export async function requeueLost(store: Store, queue: Queue): Promise<number> {
  let found = 0;
  for (const work of WORKS) {
    // Runs first: the job of each that is seen here was written with it, and is seen after.
    const waiting = await waitingRuns(store, work);
    const known = await knownJobs(queue, work.name);
    for (const one of waiting.filter(({ id, attempt }) => !known.has(`${id}:${attempt}`))) {
      if (await requeue(store, queue, work, one)) found += 1;
    }
  }
  return found;
}

async function waitingRuns(store: Store, { status, attempt }: Work): Promise<Waiting[]> {
  return await store.db
    .select({ id: run.id, attempt, judgeProviderId: run.judgeProviderId })
    .from(run)
    // Other runs are not asked by a job.
    .where(and(inArray(status, ['queued', 'running']), isNotNull(run.datasetId)));
}

const jobSchema = z.object({ run_id: z.string(), attempt: z.int() });

async function knownJobs(queue: Queue, name: string): Promise<Set<string>> {
  const jobs = (await queue.unfinished(name)).flatMap((data) => jobSchema.safeParse(data).data ?? []);
  return new Set(jobs.map(({ run_id, attempt }) => `${run_id}:${attempt}`));
}

async function requeue(store: Store, queue: Queue, work: Work, one: Waiting): Promise<boolean> {
  return await store.db.transaction(async (tx) => {
    // Another server may have ended it since it was looked at.
    const [still] = await tx
      .select({ id: run.id })
      .from(run)
      .where(and(eq(run.id, one.id), eq(work.attempt, one.attempt), inArray(work.status, ['queued', 'running'])))
      .for('update');
    if (!still || !(await work.enqueue(queue, tx, one))) return false;
    const message = `${work.what} had lost its place in the queue, and waits for a worker again.`;
    await appendRunLog(store, tx, one.id, [{ level: 'warning', code: 'job_requeued', message }]);
    return true;
  });
}
