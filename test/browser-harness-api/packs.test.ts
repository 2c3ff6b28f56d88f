import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findLeaks } from '../../src/capture/index.ts';
import { schema } from '../../src/store/index.ts';
import { CANARIES, ITEMS, KEYS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { type Api, CHATGPT, idOf, importZip, newDataset, newPack, openApi, zipOf } from './api.ts';

describe.each(engines)('packs on $name', ({ prepare }) => {
  let engine: EngineUnderTest;
  let api: Api;
  beforeAll(async () => {
    engine = await prepare();
    api = await openApi(engine);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await api?.[Symbol.asyncDispose]();
    await engine?.close();
  });

  test('a pack holds prompts and a token, and no answer, checker or criteria anywhere; it is remembered without its token', async () => {
    const dataset_id = await newDataset(api, ITEMS);
    const provider_id = idOf(
      await api.call('POST', '/providers', { name: 'J', kind: 'openai', key_env: 'OPENAI_API_KEY' }),
    );
    const judge = { provider_id, model: 'm', prompt: 'Be strict.' };
    const answer = await api.call('POST', '/browser-harness/packs', { dataset_id, target: CHATGPT, judge });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body).sort()).toEqual([
      'dataset',
      'dataset_token',
      'excluded',
      'expires_at',
      'items',
      'pack_id',
      'scoring',
      'sections',
      'warnings',
    ]);
    expect(findLeaks(answer.body, ITEMS)).toEqual([]);
    vi.stubEnv('OPENAI_API_KEY', 'sk-canary-key');
    const preflight = await api.call('POST', '/browser-harness/preflight', { dataset_id, target: CHATGPT, judge });
    expect(preflight.body).toMatchObject({ ready: true, blockers: [], items: 8, scoring: { judge_required: 1 } });
    expect(preflight.text).not.toContain('sk-canary-key');
    vi.stubEnv('OPENAI_API_KEY', '');
    expect(
      (await api.call('POST', '/browser-harness/preflight', { dataset_id, target: CHATGPT, judge })).body,
    ).toMatchObject({
      ready: false,
      items: 8,
      blockers: [
        {
          code: 'judge_key_missing',
          message: 'The judge can’t be asked. The environment variable OPENAI_API_KEY is not set.',
          fix: 'Set it, and start the server again.',
        },
      ],
    });
    const blocked = await api.call('POST', '/browser-harness/preflight', {
      dataset_id,
      target: { preset: 'custom', origin: 'https://a.example' },
    });
    expect(blocked.body).toMatchObject({
      ready: false,
      blockers: expect.arrayContaining([
        expect.objectContaining({ code: 'judge_required', fix: expect.any(String) }),
        expect.objectContaining({ code: 'selector_missing' }),
      ]),
    });
    const made = await importZip(api, zipOf(await newPack(api, dataset_id, { judge }), { judge }));
    const secrets = [...CANARIES, Buffer.from(KEYS.current.secret).toString('base64url')];
    const imported = await api.call('GET', `/browser-harness/imports/${made.body['import_id']}`);
    for (const { text } of [answer, preflight, blocked, made, imported]) {
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
    const rows = await api.store.db.select().from(schema.pack);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ itemCount: 8, judgeProviderId: provider_id, kid: 'k2', target: CHATGPT });
    expect(JSON.stringify(rows)).not.toContain(String(answer.body['dataset_token']).slice(-43));
  });

  test('OpenAPI has every route, with what it takes and what it refuses', async () => {
    const { body } = await api.call('GET', '/openapi.json');
    const paths = body['paths'] as Record<string, object>;
    expect(
      Object.keys(paths)
        .filter((name) => !/^\/(healthz|readyz|metrics)$/.test(name))
        .sort(),
    ).toEqual([
      '/all-runs',
      '/all-runs/choices',
      '/all-runs/compare',
      '/all-runs/export',
      '/all-runs/{id}',
      '/browser-harness/imports',
      '/browser-harness/imports/{id}',
      '/browser-harness/packs',
      '/browser-harness/preflight',
      '/browser-harness/presets',
      '/browser-harness/selectors/validate',
      '/datasets',
      '/datasets/import',
      '/datasets/{id}',
      '/datasets/{id}/export',
      '/datasets/{id}/items',
      '/experiments/{label}',
      '/overview',
      '/providers',
      '/providers/{id}',
      '/providers/{id}/smoke-test',
      '/runs',
      '/runs/compare',
      '/runs/events',
      '/runs/export',
      '/runs/preflight',
      '/runs/tags',
      '/runs/{id}',
      '/runs/{id}/cancel',
      '/runs/{id}/events',
      '/runs/{id}/export',
      '/runs/{id}/grades',
      '/runs/{id}/grades/{grade}/artifacts/{number}',
      '/runs/{id}/gradings',
      '/runs/{id}/gradings/{grading}',
      '/runs/{id}/items',
      '/runs/{id}/logs',
      '/runs/{id}/rescore',
      '/runs/{id}/resume',
      '/schedules',
      '/schedules/preview',
      '/schedules/{id}',
      '/schedules/{id}/run-now',
      '/workers',
    ]);
    expect(paths['/browser-harness/imports']).toMatchObject({
      post: {
        requestBody: { content: { 'application/zip': {}, 'multipart/form-data': {} } },
        responses: { 201: {}, 410: {} },
      },
    });
  });

  test('presets and selector checks are those of the page', async () => {
    const { body } = await api.call('GET', '/browser-harness/presets');
    expect(body).toMatchObject({
      presets: [
        { name: 'chatgpt', origin: 'https://chatgpt.com', selectors: { send: expect.any(Array) }, verified_on: null },
        { name: 'gemini' },
        { name: 'custom', origin: null },
      ],
    });
    const check = (selectors: unknown) => api.call('POST', '/browser-harness/selectors/validate', { selectors });
    expect((await check({ composer: ['a'], send: ['b'], assistant_turn: ['c'], busy: ['d'] })).body).toEqual({
      valid: true,
      issues: [],
    });
    expect((await check({ composer: ['a['] })).body).toMatchObject({ valid: false });
  });
});
