/** Providers behind an API. Browser providers are made by imports only, and are not found here. */
import { createRoute, z } from '@hono/zod-openapi';
import { completeItem, DEFAULT_KEY_ACCESS, systemContext } from '../../models/index.ts';
import {
  apiProviderSchema,
  callableProvider,
  createApiProvider,
  deleteApiProvider,
  getApiProvider,
  listApiProviders,
  schema,
  updateApiProvider,
} from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { body, idParam, json } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { urlGuard } from './url-guard.ts';

const tags = ['providers'];
const providerSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    surface: z.literal('api'),
    browser_target: z.null(),
    kind: z.enum(schema.PROVIDER_KINDS),
    base_url: z.string(),
    key_env: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Provider');

const create = createRoute({
  method: 'post',
  path: '/providers',
  operationId: 'createProvider',
  summary: 'Make an API provider; keys by the name of an environment variable',
  tags,
  request: { body: body(apiProviderSchema) },
  responses: { 201: json('The provider', providerSchema), ...problemResponses(400, 422) },
});
const list = createRoute({
  method: 'get',
  path: '/providers',
  operationId: 'listProviders',
  summary: 'API providers',
  tags,
  responses: { 200: json('Providers', z.object({ providers: z.array(providerSchema) })) },
});
const get = createRoute({
  method: 'get',
  path: '/providers/{id}',
  operationId: 'getProvider',
  summary: 'An API provider',
  tags,
  request: { params: idParam },
  responses: { 200: json('The provider', providerSchema), ...problemResponses(404) },
});
const update = createRoute({
  method: 'put',
  path: '/providers/{id}',
  operationId: 'updateProvider',
  summary: 'Change an API provider',
  tags,
  request: { params: idParam, body: body(apiProviderSchema) },
  responses: { 200: json('The provider', providerSchema), ...problemResponses(400, 404, 422) },
});
const remove = createRoute({
  method: 'delete',
  path: '/providers/{id}',
  operationId: 'deleteProvider',
  summary: 'Delete an API provider that nothing uses',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Gone' }, ...problemResponses(404, 409) },
});
const smoke = createRoute({
  method: 'post',
  path: '/providers/{id}/smoke-test',
  operationId: 'testProvider',
  summary: 'One call: does it answer, how quickly, and what',
  tags,
  request: { params: idParam, body: body(z.object({ model: z.string().trim().min(1).max(200) })) },
  responses: {
    200: json(
      'What came of it',
      z.object({
        ok: z.boolean(),
        reply: z.string(),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
        model: z.string().nullable(),
        latency_ms: z.number().nullable(),
      }),
    ),
    ...problemResponses(400, 404),
  },
});

export type ProviderRoutes = typeof create | typeof list | typeof get | typeof update | typeof remove | typeof smoke;

const SMOKE_MS = 30_000;

export function providerRoutes(context: RouteContext): Router {
  const { store, stopping, keyAccess = DEFAULT_KEY_ACCESS } = context;
  const assertUrl = urlGuard(context);
  const router = newRouter();
  router.openapi(create, async (c) => {
    const input = c.req.valid('json');
    if (input.base_url) await assertUrl(input.base_url);
    return c.json(await createApiProvider(store, input, keyAccess), 201);
  });
  router.openapi(list, async (c) => c.json({ providers: await listApiProviders(store.db) }, 200));
  router.openapi(get, async (c) => c.json(await getApiProvider(store.db, c.req.valid('param').id), 200));
  router.openapi(update, async (c) => {
    const input = c.req.valid('json');
    if (input.base_url) await assertUrl(input.base_url);
    return c.json(await updateApiProvider(store, c.req.valid('param').id, input, keyAccess), 200);
  });
  router.openapi(remove, async (c) => {
    await deleteApiProvider(store, c.req.valid('param').id);
    return c.body(null, 204);
  });
  router.openapi(smoke, async (c) => {
    const provider = await callableProvider(store.db, c.req.valid('param').id);
    const signal = AbortSignal.any([stopping, c.req.raw.signal]);
    const context = systemContext(signal, assertUrl, { attempts: 1, timeoutMs: SMOKE_MS }, keyAccess);
    const { model } = c.req.valid('json');
    const reply = await completeItem(
      { prompt_text: 'Reply with the word ready.', model, max_tokens: 50 },
      provider,
      context,
    );
    return c.json(
      {
        ok: reply.status === 'answered',
        reply: reply.response.slice(0, 2000).toWellFormed(),
        error: reply.error,
        model: reply.model_label,
        latency_ms: reply.latency_ms,
      },
      200,
    );
  });
  return router;
}
