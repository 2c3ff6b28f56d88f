import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toJsonl } from '../../src/cases/index.ts';
import { requeueLost } from '../../src/runs/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Api, idOf, newDataset, openApi } from './api.ts';
import { itemsOf, logOf, runIdOf, sums, until } from './launched.ts';

const ITEMS = 60;
const KILL_AT = 25;
const LANES = 4;

describe.each(engines)('on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let models: ModelServer;
  let api: Api;
  beforeAll(async () => {
    [engine, models] = await Promise.all([prepare(), startModelServer()]);
    await (await engine.open()).close();
  });
  afterEach(async () => {
    await api?.[Symbol.asyncDispose]();
    // A folder is for one at a time.
    await api?.store.close();
  });
  afterAll(async () => {
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  test('a server killed in the middle of a run is succeeded by another, and no item is asked again that has its answer', async () => {
    const { child, url } = await serve(engine);
    const exited = once(child, 'exit');
    const post = async (place: string, type: string, body: string) => {
      const answer = await fetch(new URL(place, url), { method: 'POST', headers: { 'content-type': type }, body });
      return z.record(z.string(), z.unknown()).parse(await answer.json());
    };
    const json = (place: string, body: object) => post(place, 'application/json', JSON.stringify(body));
    const made = await post('/datasets/import?name=Sums', 'application/x-ndjson', toJsonl(sums(ITEMS)));
    const provider = await json('/providers', { name: 'M', kind: 'openai-compatible', base_url: models.baseUrl });
    models.answer('adder-killer', ({ prompt }) => {
      if (models.count() === KILL_AT) child.kill('SIGKILL');
      return { text: String(Number(prompt.match(/\d+/)?.[0]) + 1) };
    });
    const { run_id } = await json('/runs', {
      dataset_id: (made['dataset'] as { id: string }).id,
      provider_id: provider['id'],
      model: 'adder-killer',
      concurrency: LANES,
    });
    const run = String(run_id);
    expect(await exited).toEqual([null, 'SIGKILL']);

    api = await openApi(engine);
    // A dead worker is known by its silence, which on PostgreSQL takes ten seconds: they have passed.
    await api.store.db.execute(sql`update pgboss.job set heartbeat_on = 'epoch' where state = 'active'`);
    expect((await api.call('GET', `/runs/${run}`)).body).toMatchObject({ status: 'running', scoring_status: 'none' });
    const before = (await itemsOf(api, run)).filter(({ status }) => status === 'answered');
    expect(before.length).toBeGreaterThanOrEqual(KILL_AT - LANES);
    expect(before.length).toBeLessThan(ITEMS);
    await api.work();
    const ended = await until(api, run, { status: 'completed', scoring_status: 'done' });
    expect(ended).toMatchObject({ accuracy: 1, coverage: 1, counts: { answered: ITEMS, errored: 0 } });
    const after = await itemsOf(api, run);
    for (const { id, prompt_text, response } of before) {
      expect(models.calls.filter(({ prompt }) => prompt === prompt_text)).toHaveLength(1);
      expect(after.find((item) => item.id === id)?.response).toBe(response);
    }
    // Only what was under way at the kill was asked twice.
    expect(models.count()).toBeLessThanOrEqual(ITEMS + LANES);
    expect((await logOf(api, run)).filter(({ code }) => code === 'run_interrupted')).toHaveLength(1);
  });

  test('runs that no queue knows of, as after a restore, are enqueued again at the start, once', async () => {
    api = await openApi(engine);
    const dataset_id = await newDataset(api, sums(3));
    const provider_id = idOf(
      await api.call('POST', '/providers', { name: 'N', kind: 'openai-compatible', base_url: models.baseUrl }),
    );
    const launch = async () => runIdOf(await api.call('POST', '/runs', { dataset_id, provider_id, model: 'adder' }));
    const lost = [await launch(), await launch()];
    const [first = '', second = ''] = lost;
    await api.store.db.execute(sql`delete from pgboss.job`);
    // The second one had been asked, and was being scored when its job was lost.
    await api.store.db.execute(sql`
      insert into attempt (run_id, case_id, attempt, result, answer, journal)
      select run_id, case_id, 1, 'answered', '1', '' from cell where run_id = ${second}`);
    await api.store.db.execute(sql`
      update cell set state = 'finished', attempts = 1, counted = 1, result = 'answered' where run_id = ${second}`);
    await api.store.db.execute(
      sql`update run set status = 'completed', grading_status = 'running', grading_round = 1 where id = ${second}`,
    );
    const kept = await launch();
    models.reset();
    const found = await Promise.all([1, 2, 3].map(() => requeueLost(api.store, api.queue)));
    expect(found.reduce((sum, n) => sum + n)).toBe(2);
    await api.work();
    for (const run of [first, second, kept]) await until(api, run, { status: 'completed', scoring_status: 'done' });
    expect(models.count()).toBe(6);
    const requeued = async (run: string) =>
      (await logOf(api, run)).filter(({ code }) => code === 'job_requeued').map(({ message }) => message);
    expect(await requeued(first)).toEqual(['Asking had lost its place in the queue, and waits for a worker again.']);
    expect(await requeued(second)).toEqual(['Scoring had lost its place in the queue, and waits for a worker again.']);
    expect(await requeued(kept)).toEqual([]);
  });
});

async function serve(engine: EngineUnderTest): Promise<{ child: ChildProcess; url: string }> {
  const main = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
  const flags = ['serve', '--port', '0', '--json', '--allow-local-providers', ...engine.flags()];
  const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, url: z.object({ url: z.string() }).parse(JSON.parse(line)).url };
  }
  throw new Error('the server said nothing');
}
