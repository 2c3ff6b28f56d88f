/** Every row of the error table: the status, the code, and that nothing was left in the database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/archives/index.ts';
import { writeZip } from '../../src/archives/write-zip.ts';
import { type Capture, tokenKeys } from '../../src/capture/index.ts';
import { itemSchema, toJsonl } from '../../src/cases/index.ts';
import { schema } from '../../src/store/index.ts';
import { captureFiles, captureZip, ITEMS, NOW } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import {
  type Answer,
  type Api,
  CHATGPT,
  capture,
  idOf,
  importZip,
  newDataset,
  newPack,
  openApi,
  type PackAnswer,
  PROGRAMMATIC,
  zipOf,
} from './api.ts';

const OTHER_KEYS = tokenKeys([{ kid: 'k2', secret: Buffer.alloc(32, 9) }]);

describe.each(engines)('refusals on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  let dataset: string;
  let pack: PackAnswer;
  let judge: string;
  beforeAll(async () => {
    engine = await prepare();
    api = await openApi(engine);
    dataset = await newDataset(api);
    pack = await newPack(api, dataset);
    judge = idOf(await api.call('POST', '/providers', { name: 'Judge', kind: 'openai', key_env: 'OPENAI_API_KEY' }));
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
  });

  async function expectRefusal(status: number, code: string, act: () => Promise<Answer>): Promise<Answer> {
    const before = await api.rows();
    const answer = await act();
    expect(answer).toMatchObject({ status, type: 'application/problem+json', body: { status, code } });
    expect(await api.rows()).toEqual(before);
    return answer;
  }

  const changed = (change: (made: Capture) => Capture) => () => importZip(api, captureZip(change(capture(pack))));
  const withToken = (dataset_token: unknown) =>
    changed((made) => ({ ...made, browser_harness: { ...made.browser_harness, dataset_token } }));
  const withResults = (change: (results: Capture['results']) => Capture['results']) =>
    changed((made) => {
      const results = change(made.results);
      return { ...made, results, manifest: { ...made.manifest, item_count: results.length } };
    });

  test('tokens: missing, malformed, not ours, expired', async () => {
    await expectRefusal(400, 'token_missing', withToken(undefined));
    await expectRefusal(400, 'token_malformed', withToken('abc'));
    const [head, payload, signature] = pack.dataset_token.split('.');
    const none = Buffer.from('{"alg":"none","typ":"eval752-pack+jwt","kid":"k2"}').toString('base64url');
    const forged = await expectRefusal(401, 'token_invalid', withToken(`${none}.${payload}.`));
    const wrong = `${signature?.startsWith('x') ? 'y' : 'x'}${signature?.slice(1)}`;
    const swapped = await expectRefusal(401, 'token_invalid', withToken(`${head}.${payload}.${wrong}`));
    expect(swapped.body['detail']).toBe(forged.body['detail']);
    await using elsewhere = await openApi(
      // On the same data, with another secret under the same name.
      { open: async () => api.store, flags: engine.flags, close: async () => undefined },
      OTHER_KEYS,
    );
    await expectRefusal(401, 'token_invalid', () => importZip(elsewhere, zipOf(pack)));
    const short = await newPack(api, dataset, { ttl_s: 60 });
    const late = await expectRefusal(410, 'token_expired', async () => {
      api.clock.now = new Date(NOW.getTime() + 61_000);
      const answer = await importZip(api, zipOf(short));
      api.clock.now = NOW;
      return answer;
    });
    expect(late.body['detail']).toContain(short.expires_at);
  });

  test('a dataset that is gone, or is another version by now', async () => {
    const id = await newDataset(api);
    const gone = await newPack(api, id);
    await api.call('DELETE', `/datasets/${id}`);
    await expectRefusal(404, 'dataset_not_found', () => importZip(api, zipOf(gone)));
    const edited = await newDataset(api);
    const old = await newPack(api, edited);
    const [first, second, ...rest] = PROGRAMMATIC;
    const items = [itemSchema.parse({ ...first, answer: 'Another' }), ...rest];
    await api.send(`/datasets/${edited}/items`, 'application/x-ndjson', toJsonl(items));
    // Without the pack's version: it is kept as long as the pack can be imported.
    await api.store.db.delete(schema.datasetVersion);
    const answer = await expectRefusal(409, 'dataset_changed', () => importZip(api, zipOf(old)));
    expect(answer.body['issues']).toEqual([
      expect.objectContaining({ code: 'changed', item_id: first?.id }),
      expect.objectContaining({ code: 'removed', item_id: second?.id }),
    ]);
  });

  test('captures that are not of this pack', async () => {
    const target = { ...CHATGPT, origin: 'https://evil.example' };
    await expectRefusal(422, 'target_mismatch', () => importZip(api, zipOf(pack, { target })));
    await expectRefusal(
      422,
      'unknown_items',
      withResults(([first, ...rest]) => (first ? [{ ...first, dataset_item_id: 'x' }, ...rest] : [])),
    );
    await expectRefusal(
      422,
      'duplicate_items',
      withResults((results) => [...results, ...results.slice(0, 1)]),
    );
    await expectRefusal(
      422,
      'prompt_mismatch',
      withResults(([first, ...rest]) => (first ? [{ ...first, prompt_text: 'x' }, ...rest] : [])),
    );
    await expectRefusal(
      422,
      'empty_capture',
      withResults(() => []),
    );
    await expectRefusal(422, 'archive_invalid', () =>
      importZip(api, zipOf(pack, { judge: { provider_id: judge, model: 'm', prompt: '' } })),
    );
  });

  test('bytes that are no capture', async () => {
    const files = captureFiles(capture(pack));
    await expectRefusal(422, 'archive_invalid', () => importZip(api, writeZip(files.slice(1), NOW)));
    await expectRefusal(422, 'archive_unsafe', () =>
      importZip(api, writeZip([...files, { name: '../x', text: '' }], NOW)),
    );
    await expectRefusal(415, 'unsupported_media', () => importZip(api, Buffer.from('GIF89a')));
    await expectRefusal(415, 'unsupported_media', () => api.send('/browser-harness/imports', 'text/html', zipOf(pack)));
    const announced = { 'content-length': String(MAX_BODY_BYTES * 2) };
    await expectRefusal(413, 'payload_too_large', () => importZip(api, zipOf(pack), announced));
    const long = { 'idempotency-key': 'x'.repeat(201) };
    await expectRefusal(400, 'request_invalid', () => importZip(api, zipOf(pack), long));
  });

  test('packs that can not be made', async () => {
    const all = await newDataset(api, ITEMS);
    const ask = (more: object) => () =>
      api.call('POST', '/browser-harness/packs', { dataset_id: all, target: CHATGPT, ...more });
    const good = { provider_id: judge, model: 'm' };
    await expectRefusal(422, 'judge_required', ask({}));
    await expectRefusal(422, 'judge_provider_invalid', ask({ judge: { ...good, provider_id: 'nobody' } }));
    const { body } = await importZip(api, zipOf(pack));
    await expectRefusal(422, 'judge_provider_invalid', ask({ judge: { ...good, provider_id: body['provider_id'] } }));
    await expectRefusal(422, 'judge_model_missing', ask({ judge: { ...good, model: ' ' } }));
    await expectRefusal(422, 'scope_unsupported', ask({ judge: good, sections: ['nowhere'] }));
    await expectRefusal(422, 'scope_unsupported', ask({ judge: good, variation: { enabled: true } }));
    await expectRefusal(422, 'pack_empty', ask({ judge: good, sections: ['numbers'], item_ids: ['free-1'] }));
    await expectRefusal(404, 'dataset_not_found', ask({ dataset_id: 'nothing' }));
    await expectRefusal(400, 'request_invalid', ask({ target: { ...CHATGPT, origin: 'https://chatgpt.com/path' } }));
    await expectRefusal(400, 'request_invalid', ask({ judge: { ...good, prompt: 'a\0b' } }));
    await expectRefusal(400, 'request_invalid', () => api.call('GET', `/datasets/${all}/items?section=%00`));
    await expectRefusal(400, 'request_invalid', () =>
      api.send('/datasets/import?name=a%00b', 'text/plain', toJsonl(ITEMS)),
    );
    for (const url of [
      '/browser-harness/imports/x',
      '/runs/x',
      '/runs/x/items',
      '/runs/x/logs',
      '/runs/x/events',
      '/providers/x',
    ]) {
      await expectRefusal(
        404,
        url.includes('imports') ? 'import_not_found' : url.startsWith('/runs') ? 'run_not_found' : 'provider_not_found',
        () => api.call('GET', url),
      );
    }
  });
});
