import { and, eq, lte } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fireDue } from '../../src/runs/index.ts';
import { schema } from '../../src/store/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Api, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';
import { sums, until } from './launched.ts';
import { Weeks } from './weeks.ts';

describe.each(engines)('schedules on $name', ({ name, prepare }) => {
  let engine: EngineUnderTest;
  let models: ModelServer;
  let api: Api;
  let servers: Api[];
  let provider_id: string;
  let dataset_id: string;
  beforeAll(async () => {
    [engine, models] = await Promise.all([prepare(), startModelServer()]);
    const open = () => openApi(engine, undefined, { schedulePollMs: 10 });
    api = await open();
    // A folder has one server; a PostgreSQL may have many.
    servers = name === 'PGlite' ? [api] : [api, await open()];
    for (const server of servers) await server.work();
    const local = { name: 'Models', kind: 'openai-compatible', base_url: models.baseUrl };
    provider_id = idOf(await api.call('POST', '/providers', local));
    dataset_id = await newDataset(api, sums(2), 'Sums');
  });
  beforeEach(() => clock(weeks.next()));
  afterAll(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  const weeks = new Weeks();
  const clock = (time: Date) => {
    for (const server of servers) server.clock.now = time;
  };
  const input = (more: object = {}) => ({
    name: 'Hourly',
    cron: '0 * * * *',
    timezone: 'UTC',
    dataset_id,
    provider_id,
    model: 'adder',
    ...more,
  });
  const create = async (more: object = {}) => idOf(await api.call('POST', '/schedules', input(more)));
  const shown = async (id: string) => (await api.call('GET', `/schedules/${id}`)).body;
  const runsOf = (id: string) => api.store.db.select().from(schema.run).where(eq(schema.run.scheduleId, id));
  /** Several looks at once from every server. One that passed by what another has claimed waits until that is done. */
  const everybodyLooks = async () => {
    await Promise.all(
      servers.flatMap((server) => [1, 2, 3].map(() => fireDue({ ...server.context, now: () => server.clock.now }))),
    );
    const due = and(eq(schema.schedule.enabled, true), lte(schema.schedule.nextRunAt, api.clock.now));
    await expect.poll(() => api.store.db.$count(schema.schedule, due), { interval: 10 }).toBe(0);
  };
  const remove = (id: string) => api.call('DELETE', `/schedules/${id}`);

  test('are made, shown, changed and deleted; the next run is told', async () => {
    const made = await api.call(
      'POST',
      '/schedules',
      input({ name: 'Nightly', cron: '30 3 * * 1-5', timezone: 'Europe/Berlin', label: 'n' }),
    );
    const id = idOf(made);
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Nightly',
        enabled: true,
        dataset: { id: dataset_id, name: 'Sums', item_count: 2 },
        provider: { id: provider_id, name: 'Models' },
        next_run_at: '2026-03-02T02:30:00.000Z',
        last_run: null,
        last_problem: null,
        label: 'n',
        judge: null,
      },
    });
    expect((await api.call('GET', '/schedules')).body).toEqual({ schedules: [made.body] });
    const off = await api.call(
      'PUT',
      `/schedules/${id}`,
      input({ name: 'Nightly', enabled: false, sections: ['main'] }),
    );
    expect(off).toMatchObject({
      status: 200,
      body: { enabled: false, next_run_at: null, label: null, sections: ['main'] },
    });
    expect(await api.call('DELETE', `/providers/${provider_id}`)).toMatchObject({ status: 409 });
    expect(await api.call('DELETE', `/datasets/${dataset_id}`)).toMatchObject({ status: 409 });
    clock(weeks.at(4 * 24));
    await everybodyLooks();
    expect(await runsOf(id)).toEqual([]);
    expect(await remove(id)).toMatchObject({ status: 204 });
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: 'schedule_not_found' } });
    expect((await api.call('GET', '/schedules/preview?cron=0+3+*+*+*&timezone=Asia/Tokyo')).body).toMatchObject({
      valid: true,
      message: null,
      next: ['2026-03-05T18:00:00.000Z', {}, {}, {}, {}],
    });
    expect((await api.call('GET', '/schedules/preview?cron=0+3')).body).toMatchObject({ valid: false, next: [] });
  });

  test('refusals say why, and leave nothing behind; a chat page can not be scheduled', async () => {
    const judged = await newDataset(api, ITEMS);
    const { body } = await importZip(api, zipOf(await newPack(api, dataset_id)));
    await until(api, String(body['run_id']), { scoring_status: 'done' });
    const before = await api.rows();
    const refused = [
      [{ cron: '0 3 * *' }, 422, 'cron_invalid'],
      [{ cron: '0 0 30 2 *' }, 422, 'cron_invalid'],
      [{ timezone: 'Mars/Base' }, 422, 'cron_invalid'],
      [{ name: '' }, 400, 'request_invalid'],
      [{ every: 'day' }, 400, 'request_invalid'],
      [{ provider_id: body['provider_id'] }, 422, 'provider_not_api'],
      [{ dataset_id: 'x' }, 404, 'dataset_not_found'],
      [{ dataset_id: judged }, 422, 'judge_required'],
      [{ dataset_id: judged, judge: { provider_id: body['provider_id'], model: 'm' } }, 422, 'judge_provider_invalid'],
    ] as const;
    for (const [more, status, code] of refused) {
      expect(await api.call('POST', '/schedules', input(more)), JSON.stringify(more)).toMatchObject({
        status,
        body: { code },
      });
    }
    expect(await api.rows()).toEqual(before);
    expect(await api.call('POST', '/schedules/x/run-now')).toMatchObject({ status: 404 });
  });

  test('what is due is launched exactly once, however many servers look', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => create({ name: `S${n}`, label: `s${n}` })));
    clock(weeks.at(1));
    await everybodyLooks();
    for (const id of ids) {
      const runs = await runsOf(id);
      expect(runs).toHaveLength(1);
      expect(runs[0]).toMatchObject({ triggeredBy: 'schedule', model: 'adder' });
      const run = runs[0]?.id ?? '';
      await until(api, run, { status: 'completed', scoring_status: 'done' });
      expect(await shown(id)).toMatchObject({
        next_run_at: weeks.at(2).toISOString(),
        last_fired_at: weeks.at(1).toISOString(),
        last_run: { id: run, status: 'completed', scoring_status: 'done' },
        last_problem: null,
      });
    }
    await everybodyLooks();
    for (const id of ids) expect(await runsOf(id)).toHaveLength(1);
    // By itself, without anybody calling: that is what the servers' own look is for.
    clock(weeks.at(2));
    for (const id of ids) await expect.poll(async () => (await runsOf(id)).length, { interval: 20 }).toBe(2);
    for (const id of ids) {
      for (const { id: run } of await runsOf(id)) await until(api, run, { scoring_status: 'done' });
      await remove(id);
      expect(await runsOf(id)).toEqual([]);
    }
  });

  test('after a long time without a server one run is launched, not one for each time that was missed', async () => {
    const id = await create({ name: 'Missed' });
    clock(weeks.at(3 * 24 + 0.5));
    await everybodyLooks();
    expect(await runsOf(id)).toHaveLength(1);
    expect(await shown(id)).toMatchObject({ next_run_at: weeks.at(3 * 24 + 1).toISOString() });
    await until(api, (await runsOf(id))[0]?.id ?? '', { scoring_status: 'done' });
    await remove(id);
  });

  test('a dataset that changed since is taken as it is now, and the run names its version', async () => {
    const changing = await newDataset(api, sums(2), 'Changing');
    const id = await create({ name: 'Changing', dataset_id: changing });
    const replaced = await api.send(
      `/datasets/${changing}/items`,
      'application/x-ndjson',
      sums(3)
        .map((item) => `${JSON.stringify(item)}\n`)
        .join(''),
    );
    expect(replaced.status).toBe(200);
    const now = await api.call('POST', `/schedules/${id}/run-now`);
    expect(now).toMatchObject({ status: 202, body: { items: 3 } });
    const { body: dataset } = await api.call('GET', `/datasets/${changing}`);
    expect(await until(api, String(now.body['run_id']), { scoring_status: 'done' })).toMatchObject({
      triggered_by: 'manual',
      schedule_id: id,
      item_count: 3,
      dataset: {
        version_hash: dataset['version_hash'],
        is_current: true,
      },
    });
    // Changed so that it can't be launched any more: said with the schedule, and nothing is left of the try.
    await api.send(
      `/datasets/${changing}/items`,
      'application/x-ndjson',
      `${JSON.stringify(ITEMS.find(({ type }) => type === 'judge'))}\n`,
    );
    clock(weeks.at(1));
    const before = (await api.rows())['run'];
    await everybodyLooks();
    expect(await shown(id)).toMatchObject({
      last_problem: expect.stringMatching(/^1 items can only be scored by a judge, and none is chosen/),
      next_run_at: weeks.at(2).toISOString(),
    });
    expect((await api.rows())['run']).toBe(before);
    await remove(id);
  });

  test('while its last run is under way a time is left out, and said so', async () => {
    models.answer('slow', () => ({ hang: true }));
    const id = await create({ name: 'Slow', model: 'slow' });
    clock(weeks.at(1));
    await everybodyLooks();
    clock(weeks.at(2));
    await everybodyLooks();
    const [run, ...more] = await runsOf(id);
    expect(more).toEqual([]);
    expect(await shown(id)).toMatchObject({
      last_problem: 'The run before was still under way: this time was left out.',
      next_run_at: weeks.at(3).toISOString(),
    });
    expect(await api.call('POST', `/runs/${run?.id}/cancel`)).toMatchObject({ status: 200 });
    await remove(id);
  });
});
