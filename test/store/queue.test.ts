import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeadJob, GiveUp, type Job, Queue, type Store } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';

describe.each(engines)('on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let store: Store;
  let queue: Queue;
  const faults: Error[] = [];
  beforeAll(async () => {
    engine = await prepare();
    store = await engine.open();
    queue = await Queue.start(store, { onError: (error) => faults.push(error) });
  });
  afterAll(async () => {
    await queue?.stop();
    await engine?.close();
    expect(faults).toEqual([]);
  });

  const enqueue = (name: string, data: object, singletonKey?: string, by = queue) =>
    store.db.transaction((tx) => by.enqueue(tx, name, data, singletonKey === undefined ? {} : { singletonKey }));
  const waiting = async (name: string) => (await queue.stats()).find((row) => row.name === name)?.waiting;

  test('a job exists only if the transaction that caused it commits', async () => {
    await queue.define('t.atomic');
    const rolledBack = store.db.transaction(async (tx) => {
      expect(await queue.enqueue(tx, 't.atomic', { n: 1 })).toMatch(/^[0-9a-f-]{36}$/);
      throw new Error('the cause failed');
    });
    await expect(rolledBack).rejects.toThrow('the cause failed');
    expect(await waiting('t.atomic')).toBe(0);
    await enqueue('t.atomic', { n: 2 });
    expect(await waiting('t.atomic')).toBe(1);
  });

  test('a worker is woken at commit and gets the data', async () => {
    await queue.define('t.wake');
    const got = Promise.withResolvers<Job>();
    // By notification, because polling alone would take an hour.
    await queue.work('t.wake', async (job) => got.resolve(job), { pollSeconds: 3600 });
    const id = await enqueue('t.wake', { run_id: 'r', text: 'ä "quoted" \\ $1' });
    expect(await got.promise).toMatchObject({ id, data: { run_id: 'r', text: 'ä "quoted" \\ $1' }, attempt: 1 });
  });

  test('while a job with the same key waits or runs, another one is not enqueued', async () => {
    await queue.define('t.once');
    const first = await enqueue('t.once', { n: 1 }, 'run-1');
    expect(first).not.toBeNull();
    expect(await enqueue('t.once', { n: 2 }, 'run-1')).toBeNull();
    expect(await enqueue('t.once', { n: 3 }, 'run-2')).not.toBeNull();
    const running = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const done: unknown[] = [];
    const all = Promise.withResolvers<void>();
    await queue.work(
      't.once',
      async ({ data }) => {
        running.resolve();
        await release.promise;
        if (done.push(data) === 2) all.resolve();
      },
      { concurrency: 2 },
    );
    await running.promise;
    expect(await enqueue('t.once', { n: 4 }, 'run-1')).toBeNull();
    release.resolve();
    await all.promise;
    expect(done).toEqual(expect.arrayContaining([{ n: 1 }, { n: 3 }]));
    await expect.poll(() => enqueue('t.once', { n: 5 }, 'run-1')).not.toBeNull();
  });

  test('a failing job is retried, then moved to the dead letters with its reason', async () => {
    await queue.define('t.fail', { retries: 1, retryDelaySeconds: 1 });
    const attempts: number[] = [];
    const dead = Promise.withResolvers<DeadJob>();
    await queue.work(
      't.fail',
      async ({ attempt }) => {
        attempts.push(attempt);
        throw new TypeError(`no. ${attempt} failed`);
      },
      { onDead: async (job) => dead.resolve(job) },
    );
    await enqueue('t.fail', { run_id: 'r1' }, 'r1');
    const letter = {
      data: { run_id: 'r1' },
      code: 'job_failed',
      reason: 'no. 2 failed',
      tries: 2,
      at: expect.any(Date),
    };
    expect(await dead.promise).toMatchObject(letter);
    expect(attempts).toEqual([1, 2]);
    expect(await queue.dead('t.fail')).toMatchObject([letter]);
  });

  test('a handler can give up at once', async () => {
    await queue.define('t.give-up');
    const dead = Promise.withResolvers<DeadJob>();
    await queue.work(
      't.give-up',
      async () => {
        throw new GiveUp('judge_required', 'The judge is gone.');
      },
      { onDead: async (job) => dead.resolve(job) },
    );
    await enqueue('t.give-up', { a: 1 });
    expect(await dead.promise).toMatchObject({ code: 'judge_required', reason: 'The judge is gone.', tries: 1 });
  });

  test('a clean stop returns running jobs to the queue, without counting a try', async () => {
    const first = await Queue.start(store, { stopMs: 300 });
    for (const each of [first, queue]) for (const name of ['t.polite', 't.deaf']) await each.define(name);
    const polite = Promise.withResolvers<void>();
    const deaf = Promise.withResolvers<void>();
    const never = Promise.withResolvers<void>();
    await first.work('t.polite', ({ signal }) => {
      polite.resolve();
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    });
    await first.work('t.deaf', async () => {
      deaf.resolve();
      await never.promise;
    });
    for (const name of ['t.polite', 't.deaf']) await enqueue(name, { name }, 'key', first);
    await Promise.all([polite.promise, deaf.promise]);
    await first.stop();
    const got: Job[] = [];
    const both = Promise.withResolvers<void>();
    for (const name of ['t.polite', 't.deaf']) {
      await queue.work(name, async (job) => {
        if (got.push(job) === 2) both.resolve();
      });
    }
    await both.promise;
    expect(got.map(({ data, attempt }) => ({ data, attempt }))).toEqual(
      expect.arrayContaining([
        { data: { name: 't.polite' }, attempt: 1 },
        { data: { name: 't.deaf' }, attempt: 1 },
      ]),
    );
    never.resolve();
  });

  test('a group runs at most its limit at once', async () => {
    await queue.define('t.group');
    let now = 0;
    let most = 0;
    let left = 4;
    const all = Promise.withResolvers<void>();
    for (let n = 0; n < left; n += 1) {
      await store.db.transaction((tx) => queue.enqueue(tx, 't.group', { n }, { group: 'judge-1' }));
    }
    await queue.work(
      't.group',
      async () => {
        now += 1;
        most = Math.max(most, now);
        await store.db.execute(sql`select 1`);
        now -= 1;
        left -= 1;
        if (left === 0) all.resolve();
      },
      { concurrency: 4, groupConcurrency: 1 },
    );
    await all.promise;
    expect(most).toBe(1);
  });

  test('an undefined queue is named in the error', async () => {
    await expect(enqueue('t.nowhere', {})).rejects.toMatchObject({ code: 'queue_unknown' });
  });
});
