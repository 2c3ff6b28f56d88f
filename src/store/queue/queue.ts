/**
 * Jobs, in the same database as what causes them: a thin wrapper of pg-boss.
 * A job is enqueued in the caller's transaction, kept alive by a heartbeat, tried again with backoff, and at last laid among
 * the dead letters with its reason.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { fromDrizzle, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import type { Queryable, Transaction } from '../database.ts';
import type { Store } from '../store.ts';
import type { DeadJob, Job, JobHandler } from './job.ts';
import { Workers } from './workers.ts';

export interface QueueOptions {
  /** Told of what goes wrong in the background. */
  onError?: (error: Error) => void;
  /** How long running jobs may take to let go when the queue stops. */
  stopMs?: number;
}

export interface QueueDefinition {
  /** Tries after the first. */
  retries?: number;
  /** Before the second try; doubled each time, with jitter. */
  retryDelaySeconds?: number;
}

export interface EnqueueOptions {
  /** While a job with this key waits or runs, another one is not taken. */
  singletonKey?: string;
  startAfter?: Date;
  /** For `groupConcurrency`: jobs of one judge provider, say. */
  group?: string;
}

export interface WorkOptions {
  concurrency?: number;
  /**
   * Jobs of one group that may run at once in this process. Not over all servers: pg-boss counts those without a lock, and
   * two workers that fetch at the same moment both get one (seen on PostgreSQL).
   */
  groupConcurrency?: number;
  /** How often it polls for jobs that it was not notified of. */
  pollSeconds?: number;
  /** Called for each dead letter of this queue, here or on another server, until it succeeds once. */
  onDead?: (job: DeadJob) => Promise<void>;
}

export interface QueueStats {
  name: string;
  waiting: number;
  active: number;
  failed: number;
}

const HEARTBEAT_SECONDS = 10;
/** The retry after a lost heartbeat sends no notification: this is how long it may lie unseen. */
const POLL_SECONDS = 2;
const SUPERVISE_SECONDS = 5;
/** Nothing ends a long job but its heartbeat. */
const EXPIRE_SECONDS = 24 * 60 * 60;
const deadName = (name: string) => `${name}.dead`;

export class Queue {
  readonly #store: Store;
  readonly #boss: PgBoss;
  readonly #workers: Workers;
  readonly #defined = new Set<string>();
  #stopped: Promise<void> | undefined;

  private constructor(store: Store, boss: PgBoss, stopMs: number) {
    this.#store = store;
    this.#boss = boss;
    this.#workers = new Workers(boss, (job, name) => this.#handBack(job, name), stopMs);
  }

  static async start(store: Store, options: QueueOptions = {}): Promise<Queue> {
    const boss = new PgBoss({
      ...store.queueConnection,
      useListenNotify: true,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
    });
    boss.on('error', (error) => options.onError?.(error));
    await boss.start();
    const queue = new Queue(store, boss, options.stopMs ?? 10_000);
    if (store.engine === 'pglite') await queue.#releaseOrphans();
    return queue;
  }

  /** Names a queue and its dead letters. Called by every process that enqueues or works; the same each time. */
  async define(name: string, definition: QueueDefinition = {}): Promise<void> {
    const options = {
      retryLimit: definition.retries ?? 4,
      retryDelay: definition.retryDelaySeconds ?? 2,
      retryBackoff: true,
      retryDelayMax: 300,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      notify: true,
    };
    // No heartbeat for dead letters: their handler is short, and its failure is tried again like any other.
    await this.#boss.createQueue(deadName(name), { notify: true, retryLimit: 10, retryDelay: 2, retryBackoff: true });
    await this.#boss.createQueue(name, { ...options, policy: 'exclusive', deadLetter: deadName(name) });
    await this.#boss.updateQueue(name, options);
    // Fills pg-boss's cache. Inside a transaction on PGlite it could not be read: there is only one connection.
    for (const each of [name, deadName(name)]) await this.#boss.findJobs(each, { id: randomUUID() });
    this.#defined.add(name);
  }

  /**
   * In the transaction of what causes the job: both are there, or neither.
   * @returns the job's id, or null when one with the same key waits or runs already.
   */
  async enqueue(tx: Transaction, name: string, data: object, options: EnqueueOptions = {}): Promise<string | null> {
    this.#assertDefined(name);
    return await this.#boss.send(name, data, {
      db: asBossDatabase(tx),
      // The queue takes one job a key; who has none is alone under a new one.
      singletonKey: options.singletonKey ?? randomUUID(),
      ...(options.startAfter ? { startAfter: options.startAfter } : {}),
      ...(options.group ? { group: { id: options.group } } : {}),
    });
  }

  async work(name: string, handler: JobHandler, options: WorkOptions = {}): Promise<void> {
    this.#assertDefined(name);
    const { pollSeconds = POLL_SECONDS } = options;
    const polling = { pollingIntervalSeconds: pollSeconds, notifyPollingIntervalSeconds: pollSeconds };
    await this.#workers.add(name, handler, {
      ...polling,
      localConcurrency: options.concurrency ?? 1,
      ...(options.groupConcurrency ? { localGroupConcurrency: options.groupConcurrency } : {}),
    });
    const { onDead } = options;
    if (!onDead) return;
    await this.#workers.add(
      deadName(name),
      async ({ id }) => {
        const [dead] = await this.dead(name, id);
        if (dead) await onDead(dead);
      },
      { ...polling, localConcurrency: 1 },
    );
  }

  /** Dead letters, newest first. They stay for a week after they were seen to. */
  async dead(name: string, id?: string): Promise<DeadJob[]> {
    this.#assertDefined(name);
    const jobs = await this.#boss.findJobs(deadName(name), id === undefined ? {} : { id });
    return jobs
      .map((job) => ({
        id: job.id,
        data: job.data,
        ...reasonSchema.parse(job.sourceOutput),
        tries: (job.sourceRetryCount ?? 0) + 1,
        at: job.createdOn,
      }))
      .sort((a, b) => b.at.getTime() - a.at.getTime());
  }

  /** The data of all jobs that wait or run, and of dead letters that are not handled yet. */
  async unfinished(name: string): Promise<unknown[]> {
    this.#assertDefined(name);
    const { rows } = await this.#store.db.execute<{ data: unknown }>(sql`
      select data from pgboss.job
      where name in (${name}, ${deadName(name)}) and state in ('created', 'retry', 'active')`);
    return rows.map(({ data }) => data);
  }

  /** Whether a worker has a job now whose data has this. A job that waits, or whose worker died, is held by none. */
  async isHeld(db: Queryable, name: string, data: Readonly<Record<string, unknown>>): Promise<boolean> {
    this.#assertDefined(name);
    const { rows } = await db.execute(sql`
      select 1 from pgboss.job where name = ${name} and state = 'active' and data @> ${JSON.stringify(data)}::jsonb limit 1`);
    return rows.length > 0;
  }

  /** Read from the jobs themselves, not from counts that are refreshed now and then. */
  async stats(): Promise<QueueStats[]> {
    const { rows } = await this.#store.db.execute<{
      name: string;
      waiting: number;
      active: number;
      failed: number;
    }>(sql`
      select name,
        count(*) filter (where state in ('created', 'retry')) as waiting,
        count(*) filter (where state = 'active') as active,
        count(*) filter (where state = 'failed') as failed
      from pgboss.job group by name`);
    const none = { waiting: 0, active: 0, failed: 0 };
    return [...this.#defined].map((name) => ({ ...none, ...rows.find((row) => row.name === name), name }));
  }

  /** Running jobs are asked to let go, and go back unfinished and uncounted for the next worker. */
  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      await this.#workers.stop();
      await this.#boss.stop({ graceful: true, timeout: 1_000 });
    })();
    return this.#stopped;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** A clean stop is not a failure: the job starts again with all its retries. */
  async #handBack(job: Job, name: string): Promise<void> {
    await this.#store.db.transaction(async (tx) => {
      const db = asBossDatabase(tx);
      const [found] = await this.#boss.findJobs<object>(name, { id: job.id, db });
      if (found?.state !== 'active') return;
      await this.#boss.complete(name, job.id, { handedBack: true }, { db });
      const { singletonKey, groupId } = found;
      await this.#boss.send(name, found.data, {
        db,
        ...(singletonKey ? { singletonKey } : {}),
        ...(groupId ? { group: { id: groupId } } : {}),
      });
    });
  }

  /** No other process can be at work in our folder: jobs that were running when the last process died need not wait for their heartbeat. */
  async #releaseOrphans(): Promise<void> {
    await this.#store.db.execute(
      sql`update pgboss.job set heartbeat_on = 'epoch' where state = 'active' and heartbeat_seconds is not null`,
    );
    await this.#store.db.execute(sql`update pgboss.queue set monitor_claim_on = 'epoch'`);
    await this.#boss.supervise();
  }

  #assertDefined(name: string): void {
    if (this.#defined.has(name)) return;
    throw new WaymarkError({ code: 'queue_unknown', message: `There is no queue ${name}: define it first.` });
  }
}

/** What pg-boss itself writes (a lost heartbeat, a shutdown) has the message one level deeper. */
const reasonSchema = z
  .union([
    z.object({ code: z.string(), message: z.string() }),
    z.object({ value: z.object({ message: z.string() }) }).transform(({ value }) => ({ code: 'job_lost', ...value })),
    z.unknown().transform(() => ({ code: 'job_failed', message: 'no reason was recorded' })),
  ])
  .transform(({ code, message }) => ({ code, reason: message }));

function asBossDatabase(tx: Queryable): ReturnType<typeof fromDrizzle> {
  return fromDrizzle(tx, sql);
}
