import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemSchema } from '../../src/cases/index.ts';
import { schema } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';

const ITEMS = 1000;
/** Every twentieth needs a judge: 50 calls, spread over the run. */
const EVERY = 20;
const KILL_AFTER_CALLS = 18;
const LANES = 4;

describe.each(engines)('on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let models: ModelServer;
  beforeAll(async () => {
    [engine, models] = await Promise.all([prepare(), startModelServer()]);
  });
  afterAll(async () => {
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  test('a worker killed in the middle of 1,000 items is succeeded by another, and each item is scored once', async () => {
    const items = Array.from({ length: ITEMS }, (_, n) =>
      itemSchema.parse({
        id: `q${n}`,
        prompt_text: `What is ${n} + 1?`,
        ...(n % EVERY === 0 ? { type: 'judge', criteria: 'Right.' } : { type: 'numeric', answer: n + 1 }),
      }),
    );
    let run = '';
    {
      const api = await openApi(engine);
      const made = { name: 'Judge', kind: 'openai-compatible', base_url: models.baseUrl };
      const judge = { provider_id: idOf(await api.call('POST', '/providers', made)), model: 'judge-1', prompt: '' };
      const pack = await newPack(api, await newDataset(api, items), { judge });
      const imported = await importZip(
        api,
        zipOf(pack, { judge, answer: (id) => `It is ${Number(id.slice(1)) + 1}.` }),
      );
      expect(imported.status).toBe(201);
      run = String(imported.body['run_id']);
      await api[Symbol.asyncDispose]();
      await api.store.close();
    }

    const script = path.join(import.meta.dirname, 'child-worker.ts');
    const child = spawn(process.execPath, [script, ...engine.flags()], { stdio: ['ignore', 'ignore', 'inherit'] });
    const exited = once(child, 'exit');
    models.answer('judge-1', () => {
      if (models.count('judge-1') === KILL_AFTER_CALLS) child.kill('SIGKILL');
      return { text: '{"score": 1, "reason": "Right."}' };
    });
    expect(await exited).toEqual([null, 'SIGKILL']);

    await using api = await openApi(engine);
    const { grade } = schema;
    const before = await api.store.db.select().from(grade).orderBy(grade.id);
    expect(before.length).toBeGreaterThan(100);
    expect(before.length).toBeLessThan(ITEMS / 2 + 100);
    expect((await api.call('GET', `/runs/${run}`)).body).toMatchObject({ scoring_status: 'running' });
    await api.work();
    await expect
      .poll(async () => (await api.call('GET', `/runs/${run}`)).body['scoring_status'], {
        timeout: 90_000,
        interval: 500,
      })
      .toBe('done');
    const after = await api.store.db.select().from(grade).orderBy(grade.id);
    // What the killed worker wrote is unchanged; each item has exactly one row.
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after).toHaveLength(ITEMS);
    const { rows } = await api.store.db.execute<{ items: number }>(
      sql`select count(distinct case_id)::int as items from grade where round = 1`,
    );
    expect(rows).toEqual([{ items: ITEMS }]);
    // Only calls that were under way at the kill were made again.
    expect(models.count('judge-1')).toBeLessThanOrEqual(ITEMS / EVERY + LANES);
    const { logs } = (await api.call('GET', `/runs/${run}/logs?limit=500`)).body as { logs: { code: string }[] };
    expect(logs.filter(({ code }) => code === 'scoring_resumed')).toHaveLength(1);
    expect((await api.call('GET', `/runs/${run}`)).body).toMatchObject({ accuracy: 1, coverage: 1 });
  });
});
