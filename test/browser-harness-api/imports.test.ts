import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type Api, CHATGPT, capture, importZip, newDataset, newPack, openApi, PROGRAMMATIC, zipOf } from './api.ts';

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
    form.set('file', new File([new Uint8Array(zipOf(pack, { label: 'form' }))], 'capture.txt'));
    const asForm = await api.app.request('/browser-harness/imports', {
      method: 'POST',
      headers: { host: 'localhost' },
      body: form,
    });
    expect(asForm.status).toBe(201);
    expect(await asForm.json()).toMatchObject({ provider_reused: true });
    expect(await api.call('POST', '/browser-harness/imports', capture(pack, { label: 'json' }))).toMatchObject({
      status: 201,
    });
    const raw = await api.send('/browser-harness/imports', 'application/octet-stream', zipOf(pack, { label: 'raw' }));
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
    const same = zipOf(pack, { target, label: 'same' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => importZip(api, same)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body['run_id'])).size).toBe(1);
    const others = await Promise.all(['a', 'b', 'c'].map((label) => importZip(api, zipOf(pack, { target, label }))));
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
    const first = await importZip(api, zipOf(pack, { label: 'one' }), key);
    expect(first.status).toBe(201);
    expect(await importZip(api, zipOf(pack, { label: 'one' }), key)).toMatchObject({
      status: 200,
      body: { run_id: first.body['run_id'] },
    });
    const before = await api.rows();
    expect(await importZip(api, zipOf(pack, { label: 'two' }), key)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(await api.rows()).toEqual(before);
    const racing = await Promise.all(
      ['x', 'y'].map((label) => importZip(api, zipOf(pack, { label }), { 'idempotency-key': 'upload-2' })),
    );
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test('long journals are artifacts of the run that was made; a duplicate and a refused capture leave none', async () => {
    const pack = await newPack(api, dataset);
    const answer = (id: string) => (id === 'mcq-1' ? 'B '.repeat(40_000) : `Answer ${id}`);
    const runsWithArtifacts = async () => {
      const runs: (string | undefined)[] = [];
      for await (const { key } of api.context.artifacts.list('runs')) runs.push(key.split('/')[1]);
      return runs.sort();
    };
    const same = zipOf(pack, { answer, label: 'long' });
    const [first] = await Promise.all(Array.from({ length: 4 }, () => importZip(api, same)));
    expect(await runsWithArtifacts()).toEqual([first?.body['run_id']]);
    const racing = await Promise.all(
      ['x', 'y'].map((label) => importZip(api, zipOf(pack, { answer, label }), { 'idempotency-key': 'upload-3' })),
    );
    const made = racing.find(({ status }) => status === 201);
    expect(await runsWithArtifacts()).toEqual([first?.body['run_id'], made?.body['run_id']].sort());
  });
});
