/** The scoring worker of a server: its queue, its limits, and what becomes of a job that nobody could finish. */
import { z } from 'zod';
import type { Queue } from '../../store/index.ts';
import { SCORE_QUEUE } from './enqueue-scoring.ts';
import { failScoring } from './score-rows.ts';
import { type ScoreOptions, scoreRun } from './score-run.ts';

/** Runs that are scored at once; of one judge, only one: its provider counts calls, not runs. */
const CONCURRENCY = 2;
const PER_JUDGE = 1;

export function defineScoring(queue: Queue): Promise<void> {
  return queue.define(SCORE_QUEUE);
}

export async function startScoring(queue: Queue, options: ScoreOptions): Promise<void> {
  await defineScoring(queue);
  await queue.work(SCORE_QUEUE, (job) => scoreRun(job, options), {
    concurrency: CONCURRENCY,
    groupConcurrency: PER_JUDGE,
    onDead: async ({ data, reason }) => {
      const job = z.object({ run_id: z.uuid(), attempt: z.int() }).safeParse(data);
      if (job.success) await failScoring(options.store, job.data.run_id, job.data.attempt, reason);
    },
  });
}
