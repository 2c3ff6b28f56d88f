import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { itemSchema, toJsonl, versionHash } from '../../src/cases/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type Api, newDataset, newPack, openApi } from './api.ts';

describe.each(engines)('datasets on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  beforeAll(async () => {
    engine = await prepare();
    api = await openApi(engine);
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
  });

  const tricky = [
    ...ITEMS,
    { id: 'null', type: 'freeform', prompt_text: 'Which JSON?', answer: null, checker: { kind: 'json' } },
    { id: 'number', type: 'numeric', prompt_text: 'ä "q" \\ 🦘', answer: 1e21, meta: { b: 1, a: [null, { z: 0.1 }] } },
  ].map((item) => itemSchema.parse(item));

  test('what goes in comes out: the same items, the same version', async () => {
    const id = await newDataset(api, tricky);
    const dataset = await api.call('GET', `/datasets/${id}`);
    expect(dataset.body).toMatchObject({
      name: 'Sample',
      item_count: tricky.length,
      version_hash: versionHash(tricky),
      sections: [
        { section: 'text', items: 3 },
        { section: 'choice', items: 2 },
        { section: 'numbers', items: 1 },
        { section: 'open', items: 2 },
        { section: 'main', items: 2 },
      ],
    });
    const jsonl = await api.call('GET', `/datasets/${id}/export`);
    expect(
      jsonl.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(tricky);
    const file = await api.app.request(`/datasets/${id}/export?format=bundle`, { headers: { host: 'localhost' } });
    const form = new FormData();
    form.set('file', new File([await file.arrayBuffer()], 'x.bin', { type: 'application/zip' }));
    form.set('name', 'Again');
    const again = await api.app.request('/datasets/import', {
      method: 'POST',
      headers: { host: 'localhost' },
      body: form,
    });
    expect(again.status).toBe(201);
    expect(await again.json()).toMatchObject({
      dataset: { name: 'Again', version_hash: versionHash(tricky) },
      accepted: tricky.length,
    });
    const page = await api.call('GET', `/datasets/${id}/items?limit=1&after=2&section=choice`);
    expect(page.body).toEqual({ items: [{ seq: 3, item: tricky[2] }] });
  });

  test('a file with bad lines is refused with a report by line, and nothing is stored', async () => {
    const before = await api.rows();
    const lines = [toJsonl(ITEMS.slice(0, 1)).trim(), 'no json', '{"id":"x"}', toJsonl(ITEMS.slice(0, 1)).trim()];
    const refused = await api.send('/datasets/import?name=Bad', 'application/x-ndjson', lines.join('\n'));
    expect(refused).toMatchObject({ status: 422, type: 'application/problem+json' });
    expect(refused.body).toMatchObject({
      code: 'dataset_invalid',
      issues: [
        { path: 'line 2', code: 'json' },
        { path: 'line 3', code: 'item', item_id: 'x' },
        { path: 'line 4', code: 'duplicate', item_id: 'free-1' },
      ],
    });
    expect(await api.send('/datasets/import?name=Empty', 'text/plain', '')).toMatchObject({ status: 422 });
    expect(await api.send('/datasets/import?name=X', 'image/png', 'x')).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media' },
    });
    expect(await api.send('/datasets/import', 'text/plain', toJsonl(ITEMS))).toMatchObject({
      status: 400,
      body: { code: 'request_invalid' },
    });
    expect(await api.call('POST', '/datasets', { name: 'X', items: [{ id: 'a\u0000' }] })).toMatchObject({
      status: 422,
    });
    expect(await api.rows()).toEqual(before);
  });

  test('other items are another version; lists come in pages; only unused ones can be deleted', async () => {
    const made = await api.call('POST', '/datasets', { name: 'Edited', items: [ITEMS[0]] });
    expect(made.status).toBe(201);
    const id = String(made.body['id']);
    const changed = await api.send(`/datasets/${id}/items`, 'application/x-ndjson', toJsonl(ITEMS.slice(0, 3)));
    expect(changed.body).toMatchObject({ id, item_count: 3, version_hash: versionHash(ITEMS.slice(0, 3)) });
    const first = await api.call('GET', '/datasets?limit=1');
    expect(first.body).toMatchObject({ datasets: [{ id }] });
    const second = await api.call('GET', `/datasets?limit=1&before=${id}`);
    expect(second.body).not.toMatchObject({ datasets: [{ id }] });
    await newPack(api, id);
    expect(await api.call('DELETE', `/datasets/${id}`)).toMatchObject({ status: 204 });
    for (const gone of [id, 'no-uuid']) {
      expect(await api.call('GET', `/datasets/${gone}`)).toMatchObject({
        status: 404,
        body: { code: 'dataset_not_found' },
      });
    }
  });
});
