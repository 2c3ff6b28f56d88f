/** The scoring worker of a server: its queue, its limits, and what becomes of a job that could not be finished. */
import { z } from 'zod';
import type { Queue } from '../../store/index.ts';
import { CheckThread } from './check-thread.ts';
import { GRADE_QUEUE } from './enqueue-grading.ts';
import { failGrading } from './grade-rows.ts';
import { type GradeOptions, gradeRun } from './grade-run.ts';

/** Runs that are scored at once; of one judge, only one: its provider counts calls, not runs. */
const CONCURRENCY = 2;
const PER_JUDGE = 1;

export function defineGrading(queue: Queue): Promise<void> {
  return queue.define(GRADE_QUEUE);
}

export async function startGrading(queue: Queue, options: Omit<GradeOptions, 'checks'>): Promise<void> {
  await defineGrading(queue);
  // One for all runs: two of them would leave the server no core on a small machine.
  const checks = new CheckThread();
  await queue.work(GRADE_QUEUE, (job) => gradeRun(job, { ...options, checks }), {
    concurrency: CONCURRENCY,
    groupConcurrency: PER_JUDGE,
    onDead: async ({ data, reason }) => {
      const job = z.object({ run_id: z.uuid(), attempt: z.int() }).safeParse(data);
      if (job.success) await failGrading(options.store, job.data.run_id, job.data.attempt, reason);
    },
  });
}
