/** The asking worker of a server: its queue, and what becomes of a job that could not be finished. */
import { z } from 'zod';
import type { Queue } from '../../store/index.ts';
import { type AskOptions, askRun } from './ask-run.ts';
import { failAsking } from './end-run.ts';
import { LAUNCH_QUEUE } from './enqueue-launch.ts';

/** Runs that are asked at once. Those of one provider share its slots. */
const CONCURRENCY = 4;

export function defineLaunching(queue: Queue): Promise<void> {
  return queue.define(LAUNCH_QUEUE);
}

export async function startLaunching(options: AskOptions): Promise<void> {
  const { queue, store, now = () => new Date() } = options;
  await defineLaunching(queue);
  await queue.work(LAUNCH_QUEUE, (job) => askRun(job, options), {
    concurrency: CONCURRENCY,
    onDead: async ({ data, reason }) => {
      const job = z.object({ run_id: z.uuid(), attempt: z.int() }).safeParse(data);
      if (job.success) await failAsking(store, job.data.run_id, job.data.attempt, reason, now());
    },
  });
}
