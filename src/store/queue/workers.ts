/** Handlers at work: what each job's end means, and letting go of all of them. */
import type { Job as BossJob, PgBoss, WorkOptions } from 'pg-boss';
import { failureOf, GiveUp, type Job, type JobHandler } from './job.ts';

interface Running {
  name: string;
  job: Job;
  done: Promise<unknown>;
}

export class Workers {
  readonly #boss: PgBoss;
  readonly #handBack: (job: Job, name: string) => Promise<void>;
  readonly #stopMs: number;
  readonly #stopping = new AbortController();
  readonly #running = new Set<Running>();
  readonly #names = new Set<string>();

  constructor(boss: PgBoss, handBack: (job: Job, name: string) => Promise<void>, stopMs: number) {
    this.#boss = boss;
    this.#handBack = handBack;
    this.#stopMs = stopMs;
  }

  async add(name: string, handler: JobHandler, options: WorkOptions): Promise<void> {
    this.#names.add(name);
    await this.#boss.work<unknown, unknown>(name, { ...options, batchSize: 1, perJobResults: true }, async (jobs) =>
      Promise.all(jobs.map((job) => this.#run(name, handler, job))),
    );
  }

  async stop(): Promise<void> {
    // No new jobs first: what is handed back must not come round again.
    for (const name of this.#names) await this.#boss.offWork(name, { wait: false });
    this.#stopping.abort(new Error('the server stops'));
    const deadline = AbortSignal.timeout(this.#stopMs);
    const late = new Promise((resolve) => deadline.addEventListener('abort', resolve, { once: true }));
    const all = () => Promise.allSettled([...this.#running].map(({ done }) => done));
    await Promise.race([all(), late]);
    // A handler that does not listen loses its job all the same; what it still does finds the claim gone.
    for (const { job, name } of this.#running) await this.#handBack(job, name);
  }

  async #run(name: string, handler: JobHandler, bossJob: BossJob<unknown>) {
    const { id, data, retryCount } = bossJob;
    const signal = AbortSignal.any([bossJob.signal, this.#stopping.signal]);
    const job: Job = { id, data, attempt: retryCount + 1, signal };
    const work = this.#attempt(name, handler, job);
    const running = { name, job, done: work };
    this.#running.add(running);
    try {
      return await work;
    } finally {
      this.#running.delete(running);
    }
  }

  async #attempt(name: string, handler: JobHandler, job: Job) {
    const { id } = job;
    try {
      job.signal.throwIfAborted();
      await handler(job);
      return { id, status: 'completed' as const };
    } catch (thrown) {
      if (this.#stopping.signal.aborted) {
        await this.#handBack(job, name);
        // pg-boss finds it settled already, and leaves it alone.
        return { id, status: 'completed' as const };
      }
      const status = thrown instanceof GiveUp ? ('deadletter' as const) : ('failed' as const);
      return { id, status, output: failureOf(thrown) };
    }
  }
}
