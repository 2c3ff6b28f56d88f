/** Cancelling a run, losing its leases, and how many calls are made at once. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines } from '../support/engines.ts';
import type { ModelServer } from '../support/model-server.ts';
import { type Api, idOf, newDataset } from './api.ts';
import { itemsOf, type Launches, logOf, openLaunches, runIdOf, sums, until } from './launched.ts';

describe.each(engines)('cancelling and pacing of normal runs on $name', ({ prepare }) => {
  let launches: Launches;
  let api: Api;
  let models: ModelServer;
  beforeAll(async () => {
    launches = await openLaunches(prepare);
    ({ api, models } = launches);
  });
  beforeEach(() => models.reset());
  afterAll(() => launches?.[Symbol.asyncDispose]());

  test('a run is cancelled in the middle: calls under way end, answers stay, and it can be taken up again', async () => {
    models.answer('stuck', ({ prompt }) => (models.count() > 4 ? { hang: true } : { text: prompt }));
    const run = runIdOf(await launches.launch({ model: 'stuck', concurrency: 2 }));
    await expect.poll(() => models.count(), { interval: 10 }).toBeGreaterThanOrEqual(6);
    expect(await api.call('POST', `/runs/${run}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'run_under_way' },
    });
    expect(await api.call('POST', `/runs/${run}/rescore`)).toMatchObject({
      status: 409,
      body: { code: 'run_not_finished' },
    });
    for (const _ of [1, 2]) {
      expect(await api.call('POST', `/runs/${run}/cancel`)).toMatchObject({
        status: 200,
        body: { run_id: run, status: 'cancelled' },
      });
    }
    const atCancel = models.count();
    const active = async () => (await api.queue.stats()).find(({ name }) => name === 'runs.launch')?.active;
    await expect.poll(active, { interval: 20 }).toBe(0);
    // Not heard, they would time out and be made again.
    expect(models.count()).toBe(atCancel);
    expect((await api.call('GET', `/runs/${run}`)).body).toMatchObject({
      status: 'cancelled',
      status_reason: 'The run was cancelled.',
      counts: { answered: 4, errored: 0, missing: 8 },
      model_labels: ['stuck-2026-01-01'],
    });
    expect((await logOf(api, run)).filter(({ code }) => code === 'run_cancelled')).toHaveLength(1);
    models.answer('stuck', ({ prompt }) => ({ text: prompt }));
    runIdOf(await api.call('POST', `/runs/${run}/resume`));
    await until(api, run, { status: 'completed', scoring_status: 'done' });
    expect(models.count()).toBe(atCancel + 8);
    for (const { prompt_text } of (await itemsOf(api, run)).slice(0, 4))
      expect(launches.timesAsked(prompt_text)).toBe(1);
  });

  test('a worker that lost its leases stops; where no other worker has the run, its job is taken up again', async () => {
    const { promise: after, resolve } = Promise.withResolvers<void>();
    models.answer('late', ({ prompt }) => ({ text: prompt, ...(models.count('late') === 3 ? { after } : {}) }));
    const run = runIdOf(await launches.launch({ model: 'late', concurrency: 1, max_items: 5 }));
    await expect.poll(() => models.count('late'), { interval: 10 }).toBe(3);
    await api.store.db.execute(sql`update cell set lease = lease + 1 where run_id = ${run} and state = 'running'`);
    resolve();
    expect(await until(api, run, { status: 'completed', scoring_status: 'done' })).toMatchObject({
      counts: { answered: 5, errored: 0, missing: 0 },
    });
    expect((await itemsOf(api, run)).map(({ prompt_text }) => launches.timesAsked(prompt_text))).toEqual([
      1, 1, 2, 1, 1,
    ]);
    expect((await logOf(api, run)).filter(({ code }) => code === 'run_interrupted')).toHaveLength(1);
  });

  test('a run that still waits is cancelled too, and is never asked', async () => {
    models.answer('busy', () => ({ hang: true }));
    const busy = await Promise.all(
      [1, 2, 3, 4].map(async () => runIdOf(await launches.launch({ model: 'busy', concurrency: 1 }))),
    );
    await expect.poll(() => models.count('busy'), { interval: 10 }).toBeGreaterThanOrEqual(4);
    const waiting = runIdOf(await launches.launch({ model: 'adder' }));
    expect((await api.call('GET', `/runs/${waiting}`)).body).toMatchObject({ status: 'queued', started_at: null });
    for (const run of [waiting, ...busy]) await api.call('POST', `/runs/${run}/cancel`);
    const stats = async () => (await api.queue.stats()).find(({ name }) => name === 'runs.launch');
    await expect.poll(stats, { interval: 20 }).toMatchObject({ waiting: 0, active: 0 });
    expect(models.count('adder')).toBe(0);
    expect((await api.call('GET', `/runs/${waiting}`)).body).toMatchObject({
      status: 'cancelled',
      counts: { missing: 12 },
    });
  });

  test('calls are no nearer to each other than the limit allows, retries included', async () => {
    let last = 0;
    models.answer('timed', ({ nth }) => {
      last = performance.now();
      return nth === 1 ? { status: 500 } : { text: '1' };
    });
    const begun = performance.now();
    const run = runIdOf(await launches.launch({ model: 'timed', max_items: 2, requests_per_minute: 300 }));
    await until(api, run, { status: 'completed' });
    expect(models.count('timed')).toBe(4);
    // Three gaps of 200 ms: only a floor, a busy machine may be later.
    expect(last - begun).toBeGreaterThan(590);
  });

  test('one provider never has more calls at once than it may, over all runs', async () => {
    models.answer('heavy', () => ({ hang: true }));
    // No prompt twice, so that a retry is told from a first call.
    const all = sums(80);
    const datasets = [await newDataset(api, all.slice(0, 40)), await newDataset(api, all.slice(40))];
    const runs = await Promise.all(
      datasets.map(async (dataset) =>
        runIdOf(await launches.launch({ dataset_id: dataset, model: 'heavy', concurrency: 32 })),
      ),
    );
    const begun = () => models.calls.filter(({ model, nth }) => model === 'heavy' && nth === 1).length;
    await expect.poll(begun, { interval: 10 }).toBeGreaterThanOrEqual(16);
    // Another provider's run goes through meanwhile.
    const other = idOf(await api.call('POST', '/providers', launches.local({ name: 'Other' })));
    const quick = runIdOf(await launches.launch({ provider_id: other, model: 'adder', max_items: 1 }));
    await until(api, quick, { status: 'completed' });
    expect(begun()).toBe(16);
    for (const run of runs) await api.call('POST', `/runs/${run}/cancel`);
  });
});
