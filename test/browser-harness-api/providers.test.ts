import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Api, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';

const KEY = 'sk-test-secret-key-123';

describe.each(engines)('providers on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  let models: ModelServer;
  beforeAll(async () => {
    process.env['WAYMARK_TEST_KEY'] = KEY;
    [engine, models] = await Promise.all([prepare(), startModelServer({ apiKey: KEY })]);
    api = await openApi(engine);
  });
  afterAll(async () => {
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
    await models?.[Symbol.asyncDispose]();
  });

  const local = (more: object = {}) => ({
    name: 'Local',
    kind: 'openai-compatible',
    base_url: models.baseUrl,
    key_env: 'WAYMARK_TEST_KEY',
    ...more,
  });

  test('are made, changed, tried and deleted; keys are names, and never shown', async () => {
    const made = await api.call('POST', '/providers', local());
    expect(made).toMatchObject({
      status: 201,
      body: { surface: 'api', browser_target: null, key_env: 'WAYMARK_TEST_KEY' },
    });
    const id = idOf(made);
    expect(await api.call('PUT', `/providers/${id}`, local({ name: 'Renamed' }))).toMatchObject({
      body: { name: 'Renamed' },
    });
    const smoke = (model: string) => api.call('POST', `/providers/${id}/smoke-test`, { model });
    expect((await smoke('echo')).body).toEqual({
      ok: true,
      reply: 'Reply with the word ready.',
      error: null,
      model: 'echo-2026-01-01',
      latency_ms: expect.any(Number),
    });
    const tattled = await smoke('tattler');
    expect(tattled.body).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(tattled.text).not.toContain(KEY);
    expect(await api.call('DELETE', `/providers/${id}`)).toMatchObject({ status: 204 });
    expect(await api.call('GET', `/providers/${id}`)).toMatchObject({ status: 404 });
  });

  test('with a key in the place of its name, a password, or an address of the network itself are refused', async () => {
    const before = await api.rows();
    const refused = [
      [local({ key_env: KEY }), 400],
      [local({ api_key: KEY }), 400],
      [local({ base_url: 'http://me:secret@api.example.com/v1' }), 400],
      [local({ base_url: 'http://169.254.169.254/v1' }), 422],
      [local({ base_url: null }), 422],
      [{ name: 'B', surface: 'browser', kind: 'openai' }, 400],
    ] as const;
    for (const [body, status] of refused) expect(await api.call('POST', '/providers', body)).toMatchObject({ status });
    expect(await api.rows()).toEqual(before);
  });

  test('that judge are kept; those of a capture are in no list and can not be touched', async () => {
    const provider_id = idOf(await api.call('POST', '/providers', local()));
    const judge = { provider_id, model: 'm', prompt: '' };
    const pack = await newPack(api, await newDataset(api), { judge });
    expect(await api.call('DELETE', `/providers/${provider_id}`)).toMatchObject({
      status: 409,
      body: { code: 'provider_in_use' },
    });
    const { body } = await importZip(api, zipOf(pack, { judge }));
    const browser = String(body['provider_id']);
    const { providers } = (await api.call('GET', '/providers')).body as { providers: { id: string }[] };
    expect(providers.map(({ id }) => id)).toEqual([provider_id]);
    for (const [method, url, sent] of [
      ['GET', `/providers/${browser}`, undefined],
      ['PUT', `/providers/${browser}`, local()],
      ['DELETE', `/providers/${browser}`, undefined],
      ['POST', `/providers/${browser}/smoke-test`, { model: 'm' }],
    ] as const) {
      expect(await api.call(method, url, sent)).toMatchObject({ status: 404, body: { code: 'provider_not_found' } });
    }
  });
});
