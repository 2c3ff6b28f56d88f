import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseKeyVariables } from '../../src/models/index.ts';
import { apiRoutes, createApp, decideAccess } from '../../src/server/index.ts';
import { schema } from '../../src/store/index.ts';
import { KEYS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { type Api, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';

const KEY = 'sk-test-secret-key-123';

describe.each(engines)('providers on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  let models: ModelServer;
  beforeAll(async () => {
    process.env['WAYMARK_KEY_TEST'] = KEY;
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
    key_env: 'WAYMARK_KEY_TEST',
    ...more,
  });

  test('are made, changed, tried and deleted; keys are names, and never shown', async () => {
    const made = await api.call('POST', '/providers', local());
    expect(made).toMatchObject({
      status: 201,
      body: { surface: 'api', browser_target: null, key_env: 'WAYMARK_KEY_TEST' },
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
      [local({ base_url: 'http://10.0.0.7/v1' }), 422],
      [local({ base_url: 'http://[fd12::7]/v1' }), 422],
      [local({ base_url: 'http://[::ffff:192.168.1.1]/v1' }), 422],
      [local({ base_url: null }), 422],
      [{ name: 'B', surface: 'browser', kind: 'openai' }, 400],
    ] as const;
    for (const [body, status] of refused) expect(await api.call('POST', '/providers', body)).toMatchObject({ status });
    expect(await api.rows()).toEqual(before);
  });

  describe('the key of a provider', () => {
    let stranger: ModelServer;
    beforeAll(async () => {
      stranger = await startModelServer();
    });
    afterAll(() => stranger?.[Symbol.asyncDispose]());
    const smoke = async (id: string) => (await api.call('POST', `/providers/${id}/smoke-test`, { model: 'echo' })).body;

    test('is in a variable of keys: no other variable can be named, and a stored one is not read', async () => {
      const before = await api.rows();
      for (const key_env of ['PATH', 'HOME', 'WAYMARK_TOKEN'])
        expect(await api.call('POST', '/providers', local({ key_env }))).toMatchObject({
          status: 422,
          body: {
            code: 'key_variable_refused',
            detail: `The environment variable ${key_env} may not be used as a key.`,
            hint: `Put the key into a variable whose name begins with WAYMARK_KEY_, or start the server with --key-variables default,${key_env}.`,
          },
        });
      expect(await api.rows()).toEqual(before);
      const [old] = await api.store.db
        .insert(schema.provider)
        .values({ surface: 'api', name: 'Old', kind: 'openai-compatible', baseUrl: stranger.baseUrl, keyEnv: 'PATH' })
        .returning();
      expect(await smoke(old?.id ?? '')).toMatchObject({ ok: false, error: { code: 'key_withheld' } });
      expect(stranger.calls).toEqual([]);
    });

    test('does not go to another host: not by a changed address, a second provider, or a deleted one', async () => {
      const refusal = {
        status: 422,
        body: {
          code: 'key_host_refused',
          detail: `The key in WAYMARK_KEY_TEST belongs to ${models.origin}, and is not sent to ${stranger.origin}.`,
          hint: expect.stringContaining(`--key-variables default,WAYMARK_KEY_TEST=${stranger.origin}.`),
        },
      };
      const there = local({ base_url: stranger.baseUrl });
      const id = idOf(await api.call('POST', '/providers', local()));
      expect(await api.call('PUT', `/providers/${id}`, there)).toMatchObject(refusal);
      expect(await api.call('POST', '/providers', there)).toMatchObject(refusal);
      // Without the key it may move; with it, it can't come back under the new address.
      expect(await api.call('PUT', `/providers/${id}`, { ...there, key_env: null })).toMatchObject({ status: 200 });
      expect(await api.call('PUT', `/providers/${id}`, there)).toMatchObject(refusal);
      expect(await api.call('DELETE', `/providers/${id}`)).toMatchObject({ status: 204 });
      expect(await api.call('POST', '/providers', there)).toMatchObject(refusal);
      expect(
        await api.call('POST', '/providers', {
          name: 'O',
          kind: 'openai',
          base_url: stranger.baseUrl,
          key_env: 'OPENAI_API_KEY',
        }),
      ).toMatchObject({ status: 422, body: { code: 'key_host_refused' } });
      expect(stranger.calls).toEqual([]);
    });

    test('that was stored before keys were bound stays with the host that it had', async () => {
      const old = { surface: 'api', name: 'Old', kind: 'openai-compatible', baseUrl: models.baseUrl } as const;
      const [row] = await api.store.db
        .insert(schema.provider)
        .values({ ...old, keyEnv: 'WAYMARK_KEY_OLD' })
        .returning();
      const id = row?.id ?? '';
      process.env['WAYMARK_KEY_OLD'] = KEY;
      expect(await smoke(id)).toMatchObject({ ok: true });
      expect(await api.call('DELETE', `/providers/${id}`)).toMatchObject({ status: 204 });
      const moved = local({ base_url: stranger.baseUrl, key_env: 'WAYMARK_KEY_OLD' });
      expect(await api.call('POST', '/providers', moved)).toMatchObject({ body: { code: 'key_host_refused' } });
    });

    test('goes where the operator says, and nowhere else; so do calls to hosts of a private network', async () => {
      const keyAccess = parseKeyVariables(`TEAM_KEY=${stranger.origin}`);
      const named = apiOf({ ...api.context, keyAccess });
      process.env['TEAM_KEY'] = 'sk-team';
      const there = local({ base_url: stranger.baseUrl, key_env: 'TEAM_KEY' });
      expect(await named('POST', '/providers', { ...there, base_url: models.baseUrl })).toBe(422);
      expect(await named('POST', '/providers', local())).toBe(422);
      expect(await named('POST', '/providers', there)).toBe(201);
      const near = local({ base_url: 'http://10.0.0.7/v1', key_env: null });
      const byName = apiOf({ ...api.context, allowProviderHosts: ['10.0.0.7'] });
      expect(await byName('POST', '/providers', near)).toBe(201);
      expect(await byName('POST', '/providers', { ...near, base_url: 'http://10.0.0.8/v1' })).toBe(422);
    });
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
    const listed = providers.map(({ id }) => id);
    expect(listed).toContain(provider_id);
    expect(listed).not.toContain(browser);
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

/** The status of a request to the same store, by a server that was started otherwise. */
function apiOf(context: Api['context']) {
  const routeModules = [apiRoutes({ keys: KEYS })];
  const app = createApp({ ...context, access: decideAccess({ host: '127.0.0.1' }), routeModules });
  const headers = { host: 'localhost:7520', 'content-type': 'application/json' };
  return async (method: string, url: string, body: unknown) =>
    (await app.request(url, { method, headers, body: JSON.stringify(body) })).status;
}
