import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Item, toJsonl } from '../../src/cases/index.ts';
import { schema } from '../../src/store/index.ts';
import { captureZip } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import {
  type Answer,
  type Api,
  CHATGPT,
  capture,
  importZip,
  newDataset,
  newPack,
  openApi,
  type PackAnswer,
  PROGRAMMATIC,
  sessionAt,
  zipOf,
} from './api.ts';

describe.each(engines)('imports on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  let dataset: string;
  beforeAll(async () => {
    engine = await prepare();
    api = await openApi(engine);
    dataset = await newDataset(api);
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
  });

  test('a capture becomes a completed run with its items, and a job to score it', async () => {
    const pack = await newPack(api, dataset);
    const before = await api.rows();
    const made = await importZip(api, zipOf(pack, { answer: (id) => (id === 'mcq-1' ? undefined : `Answer ${id}`) }));
    expect(made.status).toBe(201);
    const total = PROGRAMMATIC.length;
    expect(made.body).toEqual({
      import_id: expect.any(String),
      run_id: expect.any(String),
      provider_id: expect.any(String),
      provider_name: 'ChatGPT Web',
      provider_reused: false,
      dataset_reused: true,
      scoring_queued: true,
      counts: { expected: total, received: total - 1, answered: total - 1, errored: 0, missing: 1 },
      warnings: [{ code: 'missing_items', message: expect.any(String), item_ids: ['mcq-1'] }],
    });
    const after = await api.rows();
    expect(after).toMatchObject({
      provider: Number(before['provider']) + 1,
      run: Number(before['run']) + 1,
      cell: Number(before['cell']) + total,
      attempt: Number(before['attempt']) + total - 1,
      captureImport: Number(before['captureImport']) + 1,
      jobs: Number(before['jobs']) + 1,
    });
    const run = await api.call('GET', `/runs/${made.body['run_id']}`);
    expect(run.body).toMatchObject({
      status: 'completed',
      scoring_status: 'queued',
      scoring_attempt: 1,
      triggered_by: 'browser_harness',
      capture_label: 'self-reported capture',
      model_labels: ['Test 1'],
      started_at: '2026-03-01T12:00:00.000Z',
      finished_at: '2026-03-01T13:00:00.000Z',
      imported_at: api.clock.now.toISOString(),
      provider: { surface: 'browser', browser_target: CHATGPT },
      config: { variation: { enabled: false, per_item: 0, strategies: [] }, judge: null },
      accuracy: null,
      coverage: 0,
      summary: { total, scored: 0, coverage: 0, accuracy: null },
    });
    const [stored] = await api.store.db
      .select()
      .from(schema.captureImport)
      .where(eq(schema.captureImport.id, String(made.body['import_id'])));
    expect(stored).toMatchObject({ packId: pack.pack_id, meta: { target: CHATGPT, runtime_revision: '1' } });
    expect(JSON.stringify(stored)).not.toContain(pack.dataset_token);
    const found = await api.call('GET', `/browser-harness/imports/${made.body['import_id']}`);
    expect(found).toMatchObject({ status: 200, body: made.body });
    const logs = await api.call('GET', `/runs/${made.body['run_id']}/logs`);
    expect(logs.body).toMatchObject({
      logs: [
        { seq: 1, code: 'run_imported' },
        { seq: 2, code: 'missing_items' },
        { seq: 3, code: 'scoring_queued' },
      ],
    });
  });

  test('as a form, as JSON, and as a file of unknown type, it is the same', async () => {
    const pack = await newPack(api, dataset);
    const form = new FormData();
    form.set('file', new File([new Uint8Array(zipOf(pack))], 'capture.txt'));
    const asForm = await api.app.request('/browser-harness/imports', {
      method: 'POST',
      headers: { host: 'localhost' },
      body: form,
    });
    expect(asForm.status).toBe(201);
    expect(await asForm.json()).toMatchObject({ provider_reused: true });
    expect(await api.call('POST', '/browser-harness/imports', capture(pack, sessionAt(1)))).toMatchObject({
      status: 201,
    });
    const raw = await api.send('/browser-harness/imports', 'application/octet-stream', zipOf(pack, sessionAt(2)));
    expect(raw.status).toBe(201);
    const empty = new FormData();
    empty.set('file', 'only text');
    const before = await api.rows();
    const none = await api.app.request('/browser-harness/imports', {
      method: 'POST',
      headers: { host: 'localhost' },
      body: empty,
    });
    expect([none.status, await none.json()]).toMatchObject([400, { code: 'request_invalid' }]);
    expect(await api.rows()).toEqual(before);
  });

  test('the same bytes twice: the same ids, marked as a duplicate; also after the pack has expired', async () => {
    const bytes = zipOf(await newPack(api, dataset, { ttl_s: 60 }));
    const first = await importZip(api, bytes);
    expect(first.status).toBe(201);
    const rows = await api.rows();
    const was = api.clock.now;
    api.clock.now = new Date(was.getTime() + 3_600_000);
    const second = await importZip(api, bytes);
    api.clock.now = was;
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, duplicate: true });
    expect(await api.rows()).toEqual(rows);
  });

  test('eight at once: one run; different captures at once: one provider', async () => {
    const target = { preset: 'custom', origin: 'https://chat.example.test', display_name: 'Example' };
    const pack = await newPack(api, dataset, { target });
    const before = await api.rows();
    const same = zipOf(pack, { target });
    const answers = await Promise.all(Array.from({ length: 8 }, () => importZip(api, same)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body['run_id'])).size).toBe(1);
    const others = await Promise.all(
      [1, 2, 3].map((seconds) => importZip(api, zipOf(pack, { target, ...sessionAt(seconds) }))),
    );
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(await api.rows()).toMatchObject({
      run: Number(before['run']) + 4,
      provider: Number(before['provider']) + 1,
      captureImport: Number(before['captureImport']) + 4,
      jobs: Number(before['jobs']) + 4,
    });
  });

  test('an idempotency key answers a repeated request, and refuses other bytes', async () => {
    const pack = await newPack(api, dataset);
    const key = { 'idempotency-key': 'upload-1' };
    const first = await importZip(api, zipOf(pack), key);
    expect(first.status).toBe(201);
    expect(await importZip(api, zipOf(pack), key)).toMatchObject({
      status: 200,
      body: { run_id: first.body['run_id'] },
    });
    const before = await api.rows();
    expect(await importZip(api, zipOf(pack, sessionAt(1)), key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await api.rows()).toEqual(before);
    const racing = await Promise.all(
      [2, 3].map((seconds) => importZip(api, zipOf(pack, sessionAt(seconds)), { 'idempotency-key': 'upload-2' })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422]);
    // It holds for a request that was a duplicate, too.
    const later = { 'idempotency-key': 'upload-4' };
    expect(await importZip(api, zipOf(pack), later)).toMatchObject({ status: 200, body: first.body });
    expect(await importZip(api, zipOf(pack), later)).toMatchObject({ status: 200, body: first.body });
    const rows = await api.rows();
    expect(await importZip(api, zipOf(pack, sessionAt(4)), later)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused', detail: 'This idempotency key was used before, for another request.' },
    });
    expect(await api.rows()).toEqual(rows);
  });

  test('long journals are artifacts of the run that was made; a duplicate and a refused capture leave none', async () => {
    const pack = await newPack(api, dataset);
    const answer = (id: string) => (id === 'mcq-1' ? 'B '.repeat(40_000) : `Answer ${id}`);
    const runsWithArtifacts = async () => {
      const runs: (string | undefined)[] = [];
      for await (const { key } of api.context.artifacts.list('runs')) runs.push(key.split('/')[1]);
      return runs.sort();
    };
    const same = zipOf(pack, { answer });
    const [first] = await Promise.all(Array.from({ length: 4 }, () => importZip(api, same)));
    expect(await runsWithArtifacts()).toEqual([first?.body['run_id']]);
    const racing = await Promise.all(
      [1, 2].map((seconds) =>
        importZip(api, zipOf(pack, { answer, ...sessionAt(seconds) }), { 'idempotency-key': 'upload-3' }),
      ),
    );
    const made = racing.find(({ status }) => status === 201);
    expect(await runsWithArtifacts()).toEqual([first?.body['run_id'], made?.body['run_id']].sort());
  });

  /** The capture as it is after the items that `answered` accepts, with errors for those of `errors`; downloaded once more at `exported`. */
  const downloaded = (
    pack: PackAnswer,
    {
      answered,
      errors = [],
      exported = 0,
    }: { answered: (id: string) => boolean; errors?: string[]; exported?: number },
  ): Buffer => {
    const made = capture(pack, {
      answer: (id) => (answered(id) || errors.includes(id) ? `Answer ${id}` : undefined),
      label: `Download ${exported}`,
    });
    const results = made.results.map((result) =>
      errors.includes(result.dataset_item_id)
        ? { ...result, response: '', error: { code: 'aborted', message: 'Stopped by the user.' } }
        : result,
    );
    const time = new Date(api.clock.now.getTime() + exported * 1000).toISOString();
    const { session } = made.browser_harness;
    return captureZip({
      manifest: { ...made.manifest, exported_at: time, error_count: errors.length },
      browser_harness: { ...made.browser_harness, session: { ...session, finished_at: time } },
      results,
    });
  };

  test('a capture that was downloaded again is no second run', async () => {
    const pack = await newPack(api, dataset);
    const first = await importZip(api, downloaded(pack, { answered: () => true, exported: 1 }));
    const rows = await api.rows();
    const again = await importZip(api, downloaded(pack, { answered: () => true, exported: 2 }));
    expect(again).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } });
    const part = await importZip(api, downloaded(pack, { answered: (id) => id === 'free-1', exported: 3 }));
    expect(part).toMatchObject({ status: 200, body: { ...first.body, duplicate: true } });
    expect(await api.rows()).toEqual(rows);
  });

  test('parts of a capture become one run: what is new is added, an error gives way to an answer, nothing is lost', async () => {
    const pack = await newPack(api, dataset);
    const early = ['free-1', 'free-2'];
    const total = PROGRAMMATIC.length;
    const one = await importZip(api, downloaded(pack, { answered: (id) => early.includes(id), errors: ['mcq-1'] }));
    expect(one.body).toMatchObject({ counts: { answered: 2, errored: 1, missing: total - 3 } });
    const two = await importZip(api, downloaded(pack, { answered: (id) => id !== 'num-1', exported: 1 }));
    expect(two).toMatchObject({
      status: 201,
      body: {
        run_id: one.body['run_id'],
        merged: true,
        counts: { expected: total, received: total - 1, answered: total - 1, errored: 0, missing: 1 },
        warnings: [{ code: 'missing_items', item_ids: ['num-1'] }],
      },
    });
    // Another session of the same pack, which has only what is missing.
    const rest = zipOf(pack, { answer: (id) => (id === 'num-1' ? 'Answer num-1' : undefined), ...sessionAt(60) });
    expect(await importZip(api, rest)).toMatchObject({
      status: 201,
      body: {
        run_id: one.body['run_id'],
        merged: true,
        counts: { received: 1, answered: total, missing: 0 },
        warnings: [],
      },
    });
    const run = await api.call('GET', `/runs/${one.body['run_id']}`);
    expect(run.body).toMatchObject({
      scoring_status: 'queued',
      scoring_attempt: 3,
      counts: { answered: total },
      warnings: [],
    });
    const items = await api.call('GET', `/runs/${one.body['run_id']}/items`);
    const listed = z.array(z.object({ status: z.string() })).parse(items.body['items']);
    expect(listed.every(({ status }) => status === 'answered')).toBe(true);
    const attempts = await api.store.db
      .select({ number: schema.attempt.attempt, result: schema.attempt.result })
      .from(schema.attempt)
      .where(and(eq(schema.attempt.runId, String(one.body['run_id'])), eq(schema.attempt.caseId, 'mcq-1')))
      .orderBy(schema.attempt.attempt);
    expect(attempts).toEqual([
      { number: 1, result: 'error' },
      { number: 2, result: 'answered' },
    ]);
    // The first part once more, and a whole capture with other answers.
    const late = await importZip(
      api,
      downloaded(pack, { answered: (id) => early.includes(id), errors: ['mcq-1'], exported: 2 }),
    );
    expect(late).toMatchObject({ status: 200, body: { run_id: one.body['run_id'], duplicate: true } });
    const other = await importZip(api, zipOf(pack, sessionAt(1)));
    expect(other.status).toBe(201);
    expect(other.body['run_id']).not.toBe(one.body['run_id']);
  });

  test('parts that arrive at once are one run', async () => {
    const pack = await newPack(api, dataset);
    const before = await api.rows();
    const parts = [['free-1'], ['free-1', 'free-2'], ['mcq-1'], ['free-1', 'num-1']];
    const answers = await Promise.all(
      parts.map((ids, exported) => importZip(api, downloaded(pack, { answered: (id) => ids.includes(id), exported }))),
    );
    expect(new Set(answers.map(({ body }) => body['run_id'])).size).toBe(1);
    expect(await api.rows()).toMatchObject({
      run: Number(before['run']) + 1,
      attempt: Number(before['attempt']) + 4,
    });
  });

  test('a capture is imported after its dataset was edited, with the items of its pack', async () => {
    const edited = await newDataset(api);
    const pack = await newPack(api, edited);
    const [first, ...rest] = PROGRAMMATIC;
    const put = (items: readonly unknown[]): Promise<Answer> =>
      api.send(`/datasets/${edited}/items`, 'application/x-ndjson', toJsonl(items as readonly Item[]));
    // The server may keep the dataset of an import: not beyond an edit.
    expect(await importZip(api, zipOf(pack, sessionAt(60)))).toMatchObject({ status: 201, body: { warnings: [] } });
    const { version_hash: changed } = (await put([{ ...first, answer: 'Another' }, ...rest.slice(1)])).body;
    const made = await importZip(api, zipOf(pack));
    expect(made).toMatchObject({
      status: 201,
      body: {
        counts: { expected: PROGRAMMATIC.length, missing: 0 },
        warnings: [
          {
            code: 'dataset_changed',
            message: expect.stringMatching(/^The dataset was changed after the pack was made\..*6 items.*5 items/),
          },
        ],
      },
    });
    expect(made.text).not.toContain(changed);
    const run = await api.call('GET', `/runs/${made.body['run_id']}`);
    expect(run.body).toMatchObject({ dataset: { is_current: false } });
    const cells = await api.store.db
      .select({ snapshot: schema.cell.snapshot })
      .from(schema.cell)
      .where(and(eq(schema.cell.runId, String(made.body['run_id'])), eq(schema.cell.caseId, first?.id ?? '')));
    expect(cells).toEqual([{ snapshot: first }]);
    // Versions go when no pack of them can be imported any more, and when they are current again.
    const kept = () => api.store.db.$count(schema.datasetVersion, eq(schema.datasetVersion.datasetId, edited));
    expect(await kept()).toBe(1);
    await put(PROGRAMMATIC);
    expect(await kept()).toBe(0);
    await put(rest);
    expect(await kept()).toBe(1);
    const was = api.clock.now;
    api.clock.now = new Date(was.getTime() + 8 * 24 * 3_600_000);
    await put(rest.slice(1));
    api.clock.now = was;
    expect(await kept()).toBe(0);
  });

  test('a launch with a key is made once', async () => {
    const provider = await api.call('POST', '/providers', {
      name: 'Models',
      kind: 'openai-compatible',
      base_url: 'http://127.0.0.1:9/v1',
    });
    const request = { dataset_id: dataset, provider_id: provider.body['id'], model: 'm' };
    const launch = (body: object, key: string): Promise<Answer> =>
      api.call('POST', '/runs', body, { 'idempotency-key': key });
    const before = await api.rows();
    const answers = await Promise.all(Array.from({ length: 4 }, () => launch(request, 'launch-1')));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    const rows = await api.rows();
    expect(rows).toMatchObject({ run: Number(before['run']) + 1, jobs: Number(before['jobs']) + 1 });
    expect(await launch({ ...request, model: 'other' }, 'launch-1')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await launch({ ...request, model: '' }, 'launch-2')).toMatchObject({ status: 400 });
    expect(await api.rows()).toEqual(rows);
    expect((await launch(request, 'launch-2')).body['run_id']).not.toBe(answers[0]?.body['run_id']);
  });
});
