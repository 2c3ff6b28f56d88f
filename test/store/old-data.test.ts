/** Data that version 0.1.0 wrote, opened by today's program: nothing is lost, and every request is answered as it was. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { FolderArtifacts, importData, openStore, type Store } from '../../src/store/index.ts';
import { type Api, openApi } from '../browser-harness-api/api.ts';
import { until } from '../browser-harness-api/launched.ts';
import { engines } from '../support/engines.ts';
import { startModelServer } from '../support/model-server.ts';
import { startPostgres } from '../support/postgres.ts';

const old = path.resolve(import.meta.dirname, '../old-data');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-old-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const expected = z
  .object({ runs: z.record(z.string(), z.string()), get: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(path.join(old, 'expected.json'), 'utf8')));

function unpacked(name: string): string {
  const data = path.join(folder, name);
  mkdirSync(data, { mode: 0o700 });
  const input = brotliDecompressSync(readFileSync(path.join(old, 'data-folder.tar.br')));
  execFileSync('tar', ['-xf', '-', '-C', data], { input });
  return data;
}

const api = (store: Store): Promise<Api> =>
  openApi({ open: async () => store, flags: () => [], close: async () => undefined });

/** What this version adds to a run and to an item. */
const ADDED = new Set(['usage', 'attempts', 'outcome', 'graders', 'tags']);

/** Lists of runs say how many there are, which they did not; the interval of a comparison follows another rule today. */
function withoutChanged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { total, statistics, ...kept } = value as Record<string, unknown>;
  const compared = statistics as { difference?: object; reasons?: unknown } | undefined;
  return {
    ...kept,
    ...('runs' in kept || total === undefined ? {} : { total }),
    ...(compared && { statistics: { ...compared, reasons: [], difference: { ...compared.difference, interval: {} } } }),
  };
}

function withoutAdded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAdded);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !ADDED.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutAdded(inner)]));
}

async function expectSameAnswers(store: Store): Promise<void> {
  await using opened = await api(store);
  for (const [url, body] of Object.entries(expected.get)) {
    const answer = await opened.call('GET', url);
    expect({ url, status: answer.status }).toEqual({ url, status: 200 });
    expect({ url, body: typeof body === 'string' ? answer.text : withoutAdded(withoutChanged(answer.body)) }).toEqual({
      url,
      body: typeof body === 'string' ? body : withoutChanged(body),
    });
  }
  // The key that one of the imports had.
  const key = sql`select count(*)::int from idempotency_key k join import i on i.id::text = k.answer ->> 'import_id'
    and i.payload_sha256 = k.request_hash and i.run_id = k.run_id and i.part = 1`;
  expect(await count(store, key)).toBe(1);
}

/** Providers as version 0.1.0 let people make them; what each of them is after the upgrade. */
const PROXIES = [
  ['anthropic', 'http://127.0.0.1:4000/v1', 'openai-compatible'],
  ['anthropic', 'https://API.anthropic.com/v1', 'anthropic'],
  ['anthropic', null, 'anthropic'],
  ['google', 'https://proxy.example/api.anthropic.com', 'openai-compatible'],
  ['google', 'https://generativelanguage.googleapis.com/v1beta/openai', 'google'],
  ['openai', 'http://127.0.0.1:4000/v1', 'openai'],
].map(([kind = '', base_url, after = ''], index) => ({
  id: `00000000-0000-4000-8000-00000000000${index}`,
  kind,
  base_url: base_url ?? null,
  after,
}));

async function expectUpgradedProxies(store: Store): Promise<void> {
  const { rows } = await store.db.execute(
    sql`select id, kind, base_url from provider where id::text like '00000000-%' order by id`,
  );
  expect(rows).toEqual(PROXIES.map(({ id, base_url, after }) => ({ id, kind: after, base_url })));
}

async function count(store: Store, query: ReturnType<typeof sql>): Promise<unknown> {
  return (await store.db.execute<{ n: unknown }>(sql`select (${query}) as n`)).rows[0]?.n;
}

describe('a data folder of version 0.1.0', () => {
  test('answers every request as it did', async () => {
    await using store = await openStore({ data: unpacked('answers') });
    await expectSameAnswers(store);
    expect(await count(store, sql`select count(*)::int from cell`)).toBe(58);
    expect(await count(store, sql`select count(*)::int from grade`)).toBe(66);
    expect(await count(store, sql`select to_regclass('run_item')::text`)).toBeNull();
  });

  test('has a journal for every item that was tried, marked as migrated', async () => {
    await using store = await openStore({ data: unpacked('journals') });
    const runs = new DatabaseRunStore({ store, artifacts: new FolderArtifacts(path.join(folder, 'artifacts')) });
    const runId = expected.runs['captureZip'] ?? '';
    const plan = await runs.plan(runId);
    expect(plan).toMatchObject({ trials: 1, variant: { kind: 'capture' } });
    const seen: Record<string, string[]> = {};
    for await (const { caseId, state, attempts } of runs.cells(runId)) {
      const types: string[] = [];
      for (const { attempt } of attempts) {
        const ref = { runId, caseId, trial: 1, attempt };
        for await (const event of runs.events(ref)) {
          types.push(event.type === 'message' ? event.message.type : event.type);
          if (event.type === 'start') expect(event).toMatchObject({ kind: 'question', migrated: true, runId });
        }
        // Both rounds, whichever attempt they were of: version 0.1.0 did not say.
        expect((await runs.grades(ref)).map(({ round }) => round)).toEqual([1, 2]);
      }
      seen[state] = [...new Set([...(seen[state] ?? []), types.join(' ')])];
    }
    expect(seen).toEqual({ finished: ['start user assistant stop'], missing: [''] });
  });

  test('a provider behind a proxy keeps the protocol that it was called by', async () => {
    const data = unpacked('proxies');
    const store = await openStore({ data });
    // As it stood before the upgrade's last step, with rows that the folder does not hold.
    await store.db.execute(sql`create table run_item (run_id uuid, dataset_item_id text)`);
    for (const { id, kind, base_url } of PROXIES)
      await store.db.execute(
        sql`insert into provider (id, surface, name, kind, base_url) values (${id}, 'api', ${kind}, ${kind}, ${base_url})`,
      );
    await store.close();
    await using upgraded = await openStore({ data });
    await expectUpgradedProxies(upgraded);
  });

  test('a killed migration is finished by the next start', async () => {
    const data = unpacked('killed');
    await (await openStore({ data })).close();
    // As it stood before its last step: the old table is there, and holds what has been moved already.
    const store = await openStore({ data });
    await store.db.execute(sql`create table run_item (run_id uuid, dataset_item_id text, seq int, status text, prompt_text text, response text,
      error_code text, error_message text, model_label text, started_at timestamptz, finished_at timestamptz, latency_ms int, item jsonb)`);
    await store.db.execute(sql`
      insert into run_item select c.run_id, c.case_id, c.seq, coalesce(c.result, c.state), c.snapshot ->> 'prompt_text', a.answer,
        a.error_code, a.error_message, a.model_label, a.started_at, a.finished_at, a.latency_ms, c.snapshot
      from cell c left join attempt a on a.run_id = c.run_id and a.case_id = c.case_id`);
    await store.db.execute(sql`delete from attempt where case_id in (select case_id from attempt order by 1 limit 5)`);
    await store.close();
    await using again = await openStore({ data });
    await expectSameAnswers(again);
  });
});

describe('an archive of version 0.1.0', () => {
  test.each(['PGlite', 'PostgreSQL'])('is imported into %s with every row', async (engine) => {
    await using postgres = engine === 'PGlite' ? undefined : disposable(await startPostgres());
    await using store = await openStore(
      postgres
        ? { database: await postgres.value.database('old') }
        : { data: path.join(folder, 'imported'), snapshot: await cachedSnapshot() },
    );
    const artifacts = new FolderArtifacts(path.join(folder, `artifacts-${engine}`));
    expect(await importData(store, artifacts, path.join(old, 'export-data.jsonl.gz'))).toEqual({
      rows: 261,
      artifacts: 0,
    });
    await expectSameAnswers(store);
    // The next grade is numbered after the old ones.
    expect(await count(store, sql`select nextval(pg_get_serial_sequence('grade', 'id'))::int`)).toBe(
      Number(await count(store, sql`select max(id)::int from grade`)) + 1,
    );
  });

  test('with providers behind proxies: they keep the protocol that they were called by', async () => {
    const lines = gunzipSync(readFileSync(path.join(old, 'export-data.jsonl.gz')))
      .toString('utf8')
      .trimEnd()
      .split('\n');
    const at = lines.findIndex((line) => line.startsWith('{"table":"provider"'));
    const template: { table: string; row: object } = JSON.parse(lines[at] ?? '');
    const more = PROXIES.map(({ id, kind, base_url }) =>
      JSON.stringify({ ...template, row: { ...template.row, id, kind, base_url } }),
    );
    const end = JSON.stringify({ end: { rows: 261 + more.length, artifacts: 0 } });
    const file = path.join(folder, 'with-proxies.jsonl.gz');
    writeFileSync(file, gzipSync([...lines.slice(0, at), ...more, ...lines.slice(at, -1), end, ''].join('\n')));
    await using store = await openStore({ data: path.join(folder, 'proxied'), snapshot: await cachedSnapshot() });
    await importData(store, new FolderArtifacts(path.join(folder, 'artifacts-proxied')), file);
    await expectUpgradedProxies(store);
  });

  test.each(engines)(
    'of runs that waited or were under way: they are asked and scored by $name',
    async ({ prepare }) => {
      await using engine = closing(await prepare());
      await using models = await startModelServer();
      for (const model of ['half', 'busy']) models.answer(model, ({ prompt }) => ({ text: prompt }));
      models.answer('judge-hangs', () => ({ text: '{"score": 1, "reason": "Well."}' }));
      await using opened = await openApi(engine.value);
      const { store } = opened;
      await importData(store, opened.context.artifacts, path.join(old, 'export-under-way.jsonl.gz'));
      await store.db.execute(sql`update provider set base_url = ${models.baseUrl} where kind = 'openai-compatible'`);
      const waiting = await store.db.execute<{ id: string; label: string; answered: number }>(sql`
      select run.id, label, (select count(*)::int from cell where run_id = run.id and result = 'answered') as answered
      from run where status in ('queued', 'running') or grading_status = 'running' order by label`);
      expect(waiting.rows.map(({ label, answered }) => [label, answered])).toEqual([
        ['Busy 1', 0],
        ['Busy 2', 0],
        ['Busy 3', 0],
        ['Scoring under way', 8],
        ['Under way', 2],
        ['Waiting', 0],
      ]);
      await opened.work();
      for (const { id } of waiting.rows) await until(opened, id, { status: 'completed', scoring_status: 'done' });
      // What had its answer was not asked again: 1 + 1 + 1 of the busy ones, 2 of 4, 4 of 4.
      expect(['busy', 'half', 'adder', 'student'].map((model) => models.count(model))).toEqual([3, 2, 4, 0]);
      const run = waiting.rows.find(({ label }) => label === 'Under way')?.id ?? '';
      const runs = new DatabaseRunStore({ store, artifacts: opened.context.artifacts });
      const journals: boolean[] = [];
      for await (const { caseId, trial, attempts } of runs.cells(run)) {
        expect(attempts).toEqual([{ attempt: 1, finished: true }]);
        for await (const event of runs.events({ runId: run, caseId, trial, attempt: 1 }))
          if (event.type === 'start') journals.push(event.kind === 'question' && event.migrated === true);
      }
      expect(journals).toEqual([true, true, false, false]);
    },
  );

  test('of runs that were under way goes on where they stopped', async () => {
    await using store = await openStore({ data: path.join(folder, 'under-way'), snapshot: await cachedSnapshot() });
    const artifacts = new FolderArtifacts(path.join(folder, 'artifacts-under-way'));
    expect(await importData(store, artifacts, path.join(old, 'export-under-way.jsonl.gz'))).toMatchObject({
      rows: 319,
    });
    const { rows } = await store.db.execute(sql`
      select run.status, run.grading_status, count(*) filter (where cell.state = 'pending')::int as pending,
        count(*) filter (where cell.result = 'answered')::int as answered
      from run join cell on cell.run_id = run.id where run.status in ('queued', 'running') or run.grading_status = 'running'
      group by run.id order by 1, 2, 3, 4`);
    expect(rows).toEqual([
      { status: 'completed', grading_status: 'running', pending: 0, answered: 8 },
      { status: 'queued', grading_status: 'none', pending: 4, answered: 0 },
      ...[1, 2, 3].map(() => ({ status: 'running', grading_status: 'none', pending: 1, answered: 0 })),
      { status: 'running', grading_status: 'none', pending: 2, answered: 2 },
    ]);
    const rowsOf = async (table: string) => await count(store, sql`select count(*)::int from ${sql.identifier(table)}`);
    // The archive's README says these; an item that is pending or missing has no attempt.
    expect({ runs: await rowsOf('run'), cells: await rowsOf('cell'), attempts: await rowsOf('attempt') }).toEqual({
      runs: 9 + 6,
      cells: 79,
      attempts: 79 - 9 - 7,
    });
    expect({ grades: await rowsOf('grade'), log: await rowsOf('run_log') }).toEqual({ grades: 74, log: 121 });
  });
});

function closing<T extends { close(): Promise<void> }>(value: T) {
  return { value, [Symbol.asyncDispose]: () => value.close() };
}

function disposable<T extends { stop(): Promise<void> }>(value: T) {
  return { value, [Symbol.asyncDispose]: () => value.stop() };
}
