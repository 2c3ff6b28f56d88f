/** Runs are renamed, tagged, searched, sorted, exported, deleted, and resumed where items came to an error. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { wilsonInterval } from '../../src/metrics/index.ts';
import { schema } from '../../src/store/index.ts';
import { engines } from '../support/engines.ts';
import { type Api, importZip, newDataset, newPack, zipOf } from './api.ts';
import { type Launches, openLaunches, runIdOf, until } from './launched.ts';

const listSchema = z.object({
  runs: z.array(z.object({ id: z.string(), label: z.string(), tags: z.array(z.string()) })),
  total: z.int(),
});

describe.each(engines)('changes of runs on $name', ({ prepare }) => {
  let launches: Launches;
  let api: Api;
  /** All right; all wrong; half of the items came to an error. */
  let right: string;
  let wrong: string;
  let broken: string;
  beforeAll(async () => {
    launches = await openLaunches(prepare);
    ({ api } = launches);
  });
  afterAll(() => launches?.[Symbol.asyncDispose]());

  /** A job that some worker is at. */
  const holdJob = (name: string, data: object) =>
    api.store.db.execute(
      sql`insert into pgboss.job (name, data, state) values (${name}, ${JSON.stringify(data)}::jsonb, 'active')`,
    );
  const list = async (query: string) => listSchema.parse((await api.call('GET', `/runs?${query}`)).body);
  const ids = async (query: string) => (await list(query)).runs.map(({ id }) => id);

  test('three runs are launched: one right, one wrong, one with errors', async () => {
    launches.models.answer('half', ({ prompt }) =>
      / [1-5] \+/.test(prompt)
        ? { status: 400, text: `Not this one: ${prompt}` }
        : { text: '=HYPERLINK("https://evil.test")' },
    );
    right = runIdOf(await launches.launch({ model: 'adder', label: 'The adder' }));
    await until(api, right, { status: 'completed', scoring_status: 'done' });
    api.clock.now = new Date(api.clock.now.getTime() + 1000);
    wrong = runIdOf(await launches.launch({ model: 'judge-0' }));
    await until(api, wrong, { status: 'completed', scoring_status: 'done' });
    api.clock.now = new Date(api.clock.now.getTime() + 1000);
    broken = runIdOf(await launches.launch({ model: 'half', label: 'b 100%' }));
    await until(api, broken, { status: 'completed', scoring_status: 'done' });
  });

  test('a run is renamed and tagged, found by both, and what is not given stays', async () => {
    expect(
      await api.call('PATCH', `/runs/${wrong}`, { label: ' Zero ', tags: ['nightly', 'small', 'nightly'] }),
    ).toMatchObject({
      status: 200,
      body: { id: wrong, label: 'Zero', tags: ['nightly', 'small'] },
    });
    expect((await api.call('PATCH', `/runs/${wrong}`, { tags: ['nightly'] })).body).toMatchObject({
      label: 'Zero',
      tags: ['nightly'],
    });
    expect((await api.call('GET', `/runs/${wrong}`)).body).toMatchObject({ label: 'Zero', tags: ['nightly'] });
    expect((await api.call('GET', '/runs/tags')).body).toEqual({ tags: [{ tag: 'nightly', runs: 1 }] });
    expect(await ids('tag=nightly')).toEqual([wrong]);
    expect(await ids('tag=night')).toEqual([]);
    expect(await ids('search=ZERO')).toEqual([wrong]);
    expect(await ids('search=NIGHT')).toEqual([wrong]);
    expect(await ids('search=half')).toEqual([broken]);
    expect(await ids('search=100%25')).toEqual([broken]);
    expect(await ids(`search=${right.slice(0, 20)}&limit=1&order=asc`)).toEqual([right]);
    expect(await list('search=sums&limit=2')).toMatchObject({ total: 3, runs: [{ id: broken }, { id: wrong }] });
    for (const bad of [{ label: 'x'.repeat(201) }, { tags: [''] }, { name: 'x' }, { tags: ['a\0'] }])
      expect(await api.call('PATCH', `/runs/${wrong}`, bad)).toMatchObject({ status: 400 });
    expect(await api.call('PATCH', '/runs/none', { label: '' })).toMatchObject({ status: 404 });
  });

  test('a list is sorted by what it shows, page by page, with what is not known last', async () => {
    const sorted = {
      'sort=created': [broken, wrong, right],
      'sort=created&order=asc': [right, wrong, broken],
      'sort=accuracy': [right, ...[wrong, broken].sort()],
      'sort=accuracy&order=asc': [...[wrong, broken].sort(), right],
      'sort=model&order=asc': [right, broken, wrong],
      'sort=label&order=asc': [broken, right, wrong],
    };
    for (const [query, wanted] of Object.entries(sorted)) {
      const pages: string[] = [];
      for (const _ of wanted)
        pages.push(...(await ids(`${query}&limit=1${pages.length ? `&before=${pages.at(-1)}` : ''}`)));
      expect([query, await ids(query), pages]).toEqual([query, wanted, wanted]);
    }
    expect(await api.call('GET', '/runs?sort=colour')).toMatchObject({ status: 400 });
    expect(await api.call('GET', '/runs?before=none')).toMatchObject({ status: 404 });
  });

  test('the overview has what ran last, what failed, a trend and a table with intervals', async () => {
    const { status, body } = await api.call('GET', '/overview');
    const point = (run_id: string, passed: number, scored: number) => ({
      run_id,
      is_current: true,
      total: 12,
      scored,
      passed,
      accuracy: passed / scored,
      coverage: scored / 12,
      interval: wilsonInterval(passed, scored),
    });
    const dataset = { id: launches.dataset_id, name: 'Sums' };
    const cell = { runs: 1 };
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        latest: [{ id: broken }, { id: wrong }, { id: right }],
        failed: [{ id: broken, counts: { errored: 5 } }],
        totals: { runs: 3, under_way: 0, datasets: 1 },
        trends: [{ dataset, points: [point(right, 12, 12), point(wrong, 0, 12), point(broken, 0, 7)] }],
        table: {
          models: [{ model: 'half' }, { model: 'judge-0' }, { model: 'adder', provider: { name: 'Models' } }],
          rows: [
            {
              dataset,
              cells: [
                { ...cell, ...point(broken, 0, 7) },
                { ...cell, ...point(wrong, 0, 12) },
                { ...cell, ...point(right, 12, 12) },
              ],
            },
          ],
        },
      },
    });
  });

  test('a run and the list of runs are exported as JSON and as CSV that no spreadsheet executes', async () => {
    const run = await api.call('GET', `/runs/${broken}/export`);
    expect(run.type).toBe('application/json');
    expect(run.body).toMatchObject({ run: (await api.call('GET', `/runs/${broken}`)).body });
    expect(run.body['items']).toEqual((await api.call('GET', `/runs/${broken}/items?limit=500`)).body['items']);
    expect(run.body['grades']).toEqual((await api.call('GET', `/runs/${broken}/grades?limit=500`)).body['grades']);
    const csv = await api.call('GET', `/runs/${broken}/export?format=csv`);
    expect(csv.type).toBe('text/csv; charset=utf-8');
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(13);
    expect(lines[0]).toContain('"seq","id","section","type","status"');
    expect(lines[1]).toContain(`"'=HYPERLINK(""https://evil.test"")"`);
    expect(lines[2]).toMatch(/^2,"sum-1",.*"error","/);
    expect((await api.call('GET', '/runs/export?sort=created&order=asc')).body['runs']).toEqual(
      (await api.call('GET', '/runs?sort=created&order=asc')).body['runs'],
    );
    const runs = (await api.call('GET', '/runs/export?format=csv&search=adder')).text.trimEnd().split('\r\n');
    expect(runs).toHaveLength(2);
    expect(runs[1]).toMatch(new RegExp(`^"${right}","The adder",`));
    expect(await api.call('GET', '/runs/none/export')).toMatchObject({ status: 404 });
    expect(await api.call('GET', '/runs/export?format=xls')).toMatchObject({ status: 400 });
  });

  test('a completed run is resumed where items came to an error, and only there', async () => {
    expect(await api.call('POST', `/runs/${right}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'run_completed', detail: 'Every item of the run was answered: there is nothing to ask again.' },
    });
    launches.models.reset();
    launches.models.answer('half', ({ prompt }) => ({ text: String(Number(/(\d+) \+/.exec(prompt)?.[1]) + 1) }));
    expect(await api.call('POST', `/runs/${broken}/resume`)).toMatchObject({ status: 202, body: { items: 5 } });
    await until(api, broken, { status: 'completed', scoring_status: 'done' });
    expect(launches.models.count('half')).toBe(5);
    expect((await api.call('GET', `/runs/${broken}`)).body).toMatchObject({
      counts: { answered: 12, errored: 0, missing: 0, scored: 12, passed: 5 },
    });
    const captured = await importZip(api, zipOf(await newPack(api, await newDataset(api))));
    await until(api, String(captured.body['run_id']), { scoring_status: 'done' });
    expect(await api.call('POST', `/runs/${captured.body['run_id']}/resume`)).toMatchObject({
      status: 422,
      body: { code: 'provider_not_api' },
    });
  });

  test('a deleted run leaves no row and no file; one that is under way stays', async () => {
    const counted = async () => {
      const { jobs: _, ...rows } = await api.rows();
      return rows;
    };
    const files = async () => {
      const keys: string[] = [];
      for await (const { key } of api.context.artifacts.list('runs')) keys.push(key);
      return keys;
    };
    const before = await counted();
    launches.models.answer('long', () => ({ text: 'x'.repeat(70_000) }));
    const long = runIdOf(await launches.launch({ model: 'long' }));
    await until(api, long, { status: 'completed', scoring_status: 'done' });
    const keptFiles = (await files()).filter((key) => !key.startsWith(`runs/${long}/`));
    expect(await files()).toHaveLength(keptFiles.length + 12);
    const { run, furtherGrading } = schema;
    const set = async (fields: Partial<typeof run.$inferInsert>) =>
      void (await api.store.db.update(run).set(fields).where(eq(run.id, long)));
    for (const status of ['queued', 'running'] as const) {
      await set({ status });
      expect(await api.call('DELETE', `/runs/${long}`)).toMatchObject({ status: 409, body: { code: 'run_under_way' } });
    }
    await set({ status: 'completed' });
    await holdJob('runs.score', { run_id: long });
    for (const gradingStatus of ['queued', 'running'] as const) {
      await set({ gradingStatus });
      expect(await api.call('DELETE', `/runs/${long}`)).toMatchObject({
        status: 409,
        body: { code: 'scoring_under_way' },
      });
    }
    await set({ gradingStatus: 'done' });
    const [grading] = await api.store.db
      .insert(furtherGrading)
      .values({ runId: long, request: { graders: [] }, status: 'running' })
      .returning({ id: furtherGrading.id });
    await holdJob('runs.grade', { grading_id: grading?.id });
    expect(await api.call('DELETE', `/runs/${long}`)).toMatchObject({
      status: 409,
      body: { code: 'grading_under_way' },
    });
    await api.store.db.update(furtherGrading).set({ status: 'done' }).where(eq(furtherGrading.runId, long));
    expect(await files()).toHaveLength(keptFiles.length + 12);
    expect(await api.call('DELETE', `/runs/${long}`)).toMatchObject({ status: 204, text: '' });
    expect(await counted()).toEqual(before);
    expect(await files()).toEqual(keptFiles);
    expect(await api.call('GET', `/runs/${long}`)).toMatchObject({ status: 404 });
    expect(await api.call('DELETE', `/runs/${long}`)).toMatchObject({ status: 404 });
    // The other runs are whole.
    expect((await api.call('GET', `/runs/${right}`)).body).toMatchObject({ accuracy: 1, coverage: 1 });
  });

  test.each([
    ['queued', 'queued'],
    ['running', 'queued'],
    ['done', 'running'],
  ] as const)(
    'one whose scoring is %s and whose grading is %s, with no worker at it, is deleted',
    async (gradingStatus, status) => {
      const { body } = await importZip(api, zipOf(await newPack(api, await newDataset(api))));
      const id = String(body['run_id']);
      await until(api, id, { scoring_status: 'done' });
      await api.store.db.update(schema.run).set({ gradingStatus }).where(eq(schema.run.id, id));
      await api.store.db.insert(schema.furtherGrading).values({ runId: id, request: { graders: [] }, status });
      expect(await api.call('DELETE', `/runs/${id}`)).toMatchObject({ status: 204 });
      expect(await api.call('GET', `/runs/${id}`)).toMatchObject({ status: 404 });
    },
  );

  test('the capture of a deleted run can be imported again', async () => {
    const bytes = zipOf(await newPack(api, await newDataset(api)));
    const first = await importZip(api, bytes);
    await until(api, String(first.body['run_id']), { scoring_status: 'done' });
    expect(await api.call('DELETE', `/runs/${first.body['run_id']}`)).toMatchObject({ status: 204 });
    expect(await importZip(api, bytes)).toMatchObject({ status: 201 });
  });
});
