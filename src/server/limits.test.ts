/** What a server refuses before a route sees it, and what it says of itself. No database: routes here touch none. */
import { createRoute, z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { decideAccess } from './access.ts';
import { createApp } from './app.ts';
import { bodyLimits } from './body-limits.ts';
import { isNestedDeeper } from './json-depth.ts';
import { MEGABYTE, newRouter, type RouteModule, type ServerContext } from './route-module.ts';
import { Slots } from './slots.ts';

const HOST = { host: 'localhost:7520' };
const TOKEN = 'a-token-of-some-length';

const echo = createRoute({
  method: 'post',
  path: '/echo/{id}',
  request: {
    params: z.object({ id: z.string() }),
    body: { content: { 'application/json': { schema: z.object({ value: z.unknown() }) } } },
  },
  responses: { 200: { description: 'The same', content: { 'application/json': { schema: z.unknown() } } } },
});

/** As readers of parsed JSON do it. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

const routes: RouteModule = {
  name: 'test',
  router: () => newRouter().openapi(echo, (c) => c.json({ depth: depthOf(c.req.valid('json')) }, 200)),
};

function open(more: Partial<ServerContext> & { token?: string } = {}) {
  const nothing = undefined as never;
  const context: ServerContext = {
    store: { ping: async () => undefined } as ServerContext['store'],
    queue: nothing,
    artifacts: nothing,
    version: '1.2.3',
    allowLocalProviders: false,
    stopping: new AbortController().signal,
    log: () => undefined,
    ...more,
  };
  return createApp({
    ...context,
    access: decideAccess({ host: '127.0.0.1', token: more.token }),
    routeModules: [routes],
  });
}

const post = (body: string) => ({
  method: 'POST',
  headers: { ...HOST, 'content-type': 'application/json', 'content-length': String(body.length) },
  body,
});

test('JSON that is nested too deep is refused, and what is in a string does not count', async () => {
  const nested = (levels: number) => `{"value":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const app = open();
  expect(await (await app.request('/echo/1', post(nested(99)))).json()).toEqual({ depth: 100 });
  for (const levels of [100, 400_000]) {
    const refused = await app.request('/echo/1', post(nested(levels)));
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { code: 'json_too_deep', detail: 'The JSON of the request is nested deeper than 100 levels.' },
    ]);
  }
  const text = JSON.stringify({ value: `\\"${'['.repeat(500)}` });
  expect(await (await app.request('/echo/1', post(text))).json()).toEqual({ depth: 1 });
  expect(isNestedDeeper(`"${'['.repeat(500)}`, 100)).toBe(false);
  expect(isNestedDeeper('[[],[],[]]', 2)).toBe(false);
});

test('a wrong method is told from a path that is not there', async () => {
  const app = open();
  const ask = async (method: string, path: string) => {
    const response = await app.request(path, { method, headers: HOST });
    const { code, status } = (await response.json()) as { code: string; status: number };
    return [status, code, response.headers.get('allow')];
  };
  expect(await ask('GET', '/echo/1')).toEqual([405, 'method_not_allowed', 'POST']);
  expect(await ask('DELETE', '/healthz')).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
  expect(await ask('OPTIONS', '/openapi.json')).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
  expect(await ask('POST', '/app/runs/1')).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
  for (const path of ['/echo', '/echo/', '/echo/1/2', '/nothing'])
    expect(await ask('GET', path)).toEqual([404, 'not_found', null]);
});

test('the address with the token leads to a path of this server, never to another host', async () => {
  const app = open({ token: TOKEN });
  for (const path of ['//evil.test', '///evil.test', '/\\evil.test', '/%2e//evil.test', '/.//evil.test']) {
    const { status, headers } = await app.request(`http://localhost:7520${path}/x?token=${TOKEN}&a=1`, {
      headers: HOST,
    });
    const location = headers.get('location') ?? '';
    expect([path, status, new URL(location, 'http://localhost:7520/').host]).toEqual([path, 303, 'localhost:7520']);
  }
});

test('a server whose disk is full is not ready, and says so', async () => {
  const ready = async (bytes: number) => {
    const response = await open({ spaceLeft: async () => bytes }).request('/readyz', { headers: HOST });
    return [response.status, await response.json()];
  };
  expect(await ready(64 * MEGABYTE)).toEqual([200, { ok: true }]);
  expect(await ready(3.5 * MEGABYTE)).toMatchObject([
    503,
    { code: 'disk_full', detail: 'The disk of the data has 3 MB left.' },
  ]);
});

test('uploads that are under way hold their bytes; what is too much is refused until one has ended', async () => {
  const { promise: until, resolve: end } = Promise.withResolvers<void>();
  const app = newRouter();
  app.use(bodyLimits([{ name: 'test', bodyLimits: { '/large': 1000 } }], new Slots(1000)));
  app.post('/large', async (c) => {
    const { length } = await c.req.text();
    if (length === 600) await until;
    return c.json({ length });
  });
  const send = (bytes: number, length: Record<string, string> = { 'content-length': String(bytes) }) =>
    app.request('/large', { method: 'POST', headers: length, body: 'x'.repeat(bytes) });
  const first = send(600);
  const refused = await send(500);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
  expect(await refused.json()).toMatchObject({ code: 'too_many_uploads' });
  // Without a length, what has arrived counts.
  expect((await send(401, {})).status).toBe(429);
  expect((await send(400, {})).status).toBe(200);
  expect((await send(400)).status).toBe(200);
  end();
  expect((await first).status).toBe(200);
  for (const _ of [1, 2]) expect(await (await send(1000, {})).json()).toEqual({ length: 1000 });
});
