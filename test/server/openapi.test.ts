/** The OpenAPI document and the answers of a live server agree, for every operation. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { toJsonl } from '../../src/cases/index.ts';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { decideAccess } from '../../src/server/access.ts';
import { apiRoutes, createApp } from '../../src/server/index.ts';
import { schema } from '../../src/store/index.ts';
import { KEYS } from '../browser-harness/samples.ts';
import { CHATGPT, idOf, importZip, newPack, zipOf } from '../browser-harness-api/api.ts';
import { type Launches, openLaunches, runIdOf, sums, until } from '../browser-harness-api/launched.ts';
import { engines } from '../support/engines.ts';
import { storeEpisodes } from '../support/made-episodes.ts';

let launches: Launches;
beforeAll(async () => {
  launches = await openLaunches(engines[0].prepare);
});
afterAll(() => launches?.[Symbol.asyncDispose]());

const operationsSchema = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ operationId: z.string(), security: z.array(z.unknown()).optional() })),
  ),
  components: z.object({ securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })) }),
});

async function documentOf(token?: string) {
  const { context } = launches.api;
  const access = decideAccess({ host: '127.0.0.1', token });
  const app = createApp({ ...context, access, routeModules: [apiRoutes({ keys: KEYS })] });
  const headers = { host: 'localhost', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return operationsSchema.parse(await (await app.request('/openapi.json', { headers })).json());
}

test('operations have ids of their own, and say what a server with a token asks for', async () => {
  const open = await documentOf();
  const operations = Object.values(open.paths).flatMap((methods) => Object.values(methods));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  expect(open.components.securitySchemes).toMatchObject({
    token: { type: 'http', scheme: 'bearer' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'waymark_token' },
  });
  expect(open.security).toEqual([{}, { token: [] }, { cookie: [] }]);
  expect((await documentOf('a-token-of-some-length')).security).toEqual([{ token: [] }, { cookie: [] }]);
  const isOpen = operations.filter(({ security }) => security?.length === 0).map(({ operationId }) => operationId);
  expect(isOpen.sort()).toEqual(['getHealth', 'getReadiness']);
});

test('every operation answers as the document says, with no field more and no null that it does not name', async () => {
  const { api, dataset_id, provider_id, models } = launches;
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await api.call(method, path, body);
    expect([method, path, answer.status < 300, answer.status < 300 ? '' : answer.text]).toEqual([
      method,
      path,
      true,
      '',
    ]);
    return answer;
  };
  for (const path of ['/healthz', '/readyz', '/metrics', '/browser-harness/presets', '/datasets', '/providers'])
    await done('GET', path);

  const made = idOf(await done('POST', '/datasets', { name: 'Two', items: sums(2) }));
  await api.send(`/datasets/${made}/items`, 'application/x-ndjson', toJsonl(sums(3)));
  for (const path of ['', '/items', '/export', '/export?format=bundle']) await done('GET', `/datasets/${made}${path}`);
  await done('DELETE', `/datasets/${made}`);

  const other = idOf(await done('POST', '/providers', launches.local({ name: 'Other' })));
  await done('PUT', `/providers/${other}`, launches.local({ name: 'Changed' }));
  await done('GET', `/providers/${other}`);
  await done('POST', `/providers/${other}/smoke-test`, { model: 'adder' });
  await done('DELETE', `/providers/${other}`);

  const request = { dataset_id, target: CHATGPT };
  await done('POST', '/browser-harness/preflight', request);
  await done('POST', '/browser-harness/selectors/validate', { selectors: {} });
  const bytes = zipOf(await newPack(api, dataset_id));
  const imported = await importZip(api, bytes);
  expect(await importZip(api, bytes)).toMatchObject({ status: 200, body: { duplicate: true } });
  await done('GET', `/browser-harness/imports/${imported.body['import_id']}`);
  const captured = String(imported.body['run_id']);
  await until(api, captured, { scoring_status: 'done' });

  models.answer('half', ({ prompt }) => (/ [25] \+/.test(prompt) ? { status: 400, text: 'No.' } : { text: '1' }));
  await done('POST', '/runs/preflight', { dataset_id, provider_id, model: 'half' });
  const run = runIdOf(await launches.launch({ model: 'half', label: 'Half' }));
  await until(api, run, { status: 'completed', scoring_status: 'done' });
  await done('POST', `/runs/${run}/rescore`, {});
  await until(api, run, { scoring_status: 'done' });
  const grading = idOf(await done('POST', `/runs/${run}/grades`, { graders: [{ grader: 'answer' }] }));
  await expect
    .poll(async () => (await done('GET', `/runs/${run}/gradings/${grading}`)).body['status'])
    .not.toMatch(/queued|running/);
  await done('PATCH', `/runs/${run}`, { tags: ['t'] });
  for (const path of [
    '',
    '/items',
    '/logs',
    '/events?limit=1',
    '/grades',
    '/gradings',
    '/export',
    '/export?format=csv',
  ])
    await done('GET', `/runs/${run}${path}`);
  for (const path of [
    '',
    '/tags',
    '/export',
    '/export?format=csv',
    '/events?limit=1',
    `/compare?a=${captured}&b=${run}`,
  ])
    await done('GET', `/runs${path}`);
  await done('GET', '/overview');
  const episodes = { cases: ['a', 'b'], createdAt: '2026-01-01T00:00:00Z', experiment: 'e' };
  const kept = new DatabaseRunStore(api.context);
  const a = await storeEpisodes(kept, { ...episodes, passes: () => true });
  const b = await storeEpisodes(kept, { ...episodes, passes: () => false });
  for (const path of ['', '?kind=agent&limit=1', '/choices', '/export', '/export?format=csv', `/${a}`])
    await done('GET', `/all-runs${path}`);
  await done('GET', `/all-runs/compare?a=${a}&b=${b}`);
  await done('GET', '/experiments/e');
  expect((await done('GET', '/workers')).body).toEqual({ workers: [] });
  const { db } = api.context.store;
  const facts = { id: 'm1-7-abc', host: 'm1', version: '0.1.0', labels: ['gpu'], concurrency: 4 };
  await db.insert(schema.worker).values({ ...facts, running: 2 });
  const gone = { ...facts, id: 'm2-8-def', seenAt: new Date(Date.now() - 120_000), startedAt: new Date(0) };
  await db.insert(schema.worker).values(gone);
  expect((await done('GET', '/workers')).body).toMatchObject({
    workers: [
      { id: 'm2-8-def', alive: false, started_at: '1970-01-01T00:00:00.000Z' },
      { ...facts, running: 2, draining: false, alive: true },
    ],
  });
  // It hangs from now on, so that it is still under way when it is cancelled.
  models.answer('half', () => ({ hang: true }));
  await done('POST', `/runs/${run}/resume`);
  await done('POST', `/runs/${run}/cancel`);

  const schedule = { name: 'Nightly', cron: '0 3 * * *', dataset_id, provider_id, model: 'adder' };
  const nightly = idOf(await done('POST', '/schedules', schedule));
  await done('PUT', `/schedules/${nightly}`, { ...schedule, timezone: 'Europe/Berlin' });
  const fired = runIdOf(await done('POST', `/schedules/${nightly}/run-now`));
  for (const path of ['', `/${nightly}`, '/preview?cron=0+3+*+*+*', '/preview?cron=never'])
    await done('GET', `/schedules${path}`);
  await until(api, fired, { status: 'completed', scoring_status: 'done' });
  await done('DELETE', `/schedules/${nightly}`);
  await done('DELETE', `/runs/${fired}`);

  // What is refused is described too: `call` throws for an answer that is not.
  for (const [method, path, status] of [
    ['GET', '/runs/none', 404],
    ['GET', '/runs?limit=x', 400],
    ['GET', '/all-runs?after=nonsense', 400],
    ['GET', `/all-runs/compare?a=${a}&b=${run}`, 422],
    ['GET', '/experiments/none', 404],
    ['DELETE', `/datasets/${dataset_id}`, 409],
  ] as const)
    expect(await api.call(method, path)).toMatchObject({ status });
  // Needs a judge that keeps files: the tests of grades ask for it, by the same `call`.
  const rest = api.openApi.operationIds.filter((id) => !api.openApi.succeeded.has(id));
  expect(rest).toEqual(['getGradeArtifact']);
});

test('an answer that the document does not describe is found', async () => {
  const { api } = launches;
  const answer = await api.call('GET', '/datasets');
  const changed = (change: (dataset: Record<string, unknown>) => object) => () => {
    const [first] = answer.body['datasets'] as Record<string, unknown>[];
    const text = JSON.stringify({ datasets: [change(first ?? {})] });
    api.openApi.check('GET', '/datasets', { ...answer, text });
  };
  expect(changed((dataset) => dataset)).not.toThrow();
  expect(changed((dataset) => ({ ...dataset, more: 1 }))).toThrow('must NOT have unevaluated properties');
  expect(changed((dataset) => ({ ...dataset, name: null }))).toThrow('/datasets/0/name must be string');
  expect(changed(({ name: _, ...dataset }) => dataset)).toThrow("must have required property 'name'");
  expect(() => api.openApi.check('GET', '/datasets', { ...answer, status: 202 })).toThrow('does not describe');
  expect(() => api.openApi.check('GET', '/datasets', { ...answer, type: 'text/html' })).toThrow('with text/html');
});
