import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type EventSourceOf, eventStream } from './event-stream.ts';
import { errorToProblem } from './on-error.ts';
import type { AppEnv } from './route-module.ts';
import { Slots } from './slots.ts';

/** A log in memory that rings when it grows. */
function memoryLog(lines: string[] = []) {
  const listeners = new Set<() => void>();
  const source: EventSourceOf = {
    since: async (id, max) => lines.slice(id, id + max).map((data, n) => ({ id: id + n + 1, event: 'line', data })),
    subscribe: async (wake) => {
      listeners.add(wake);
      return () => listeners.delete(wake);
    },
  };
  const add = (line: string) => {
    lines.push(line);
    for (const wake of listeners) wake();
  };
  return { source, add, listeners };
}

function serve(source: EventSourceOf, { stopping = new AbortController().signal, heartbeatMs = 15_000 } = {}) {
  const app = new Hono<AppEnv>();
  const streams = new Slots(2);
  app.use(async (c, next) => {
    c.set('streams', streams);
    await next();
  });
  app.get('/events', (c) => eventStream(c, source, { stopping, heartbeatMs }));
  app.onError((error, c) => errorToProblem(error, c, () => undefined));
  return app;
}

const ids = (body: string) => [...body.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

test('events have an id, a name and JSON', async () => {
  const { source } = memoryLog(['one\ntwo']);
  const response = await serve(source).request('/events?limit=1');
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe('retry: 2000\n\nevent: line\ndata: "one\\ntwo"\nid: 1\n\n');
});

test('a client that reconnects gets the later events, and ?limit ends the stream', async () => {
  const { source } = memoryLog(Array.from({ length: 500 }, (_, n) => `${n}`));
  const app = serve(source);
  expect(ids(await (await app.request('/events?limit=3')).text())).toEqual([1, 2, 3]);
  const again = await app.request('/events?limit=3', { headers: { 'last-event-id': '3' } });
  expect(ids(await again.text())).toEqual([4, 5, 6]);
  // More than one batch.
  const all = ids(await (await app.request('/events?limit=450&after=10')).text());
  expect(all).toEqual(Array.from({ length: 450 }, (_, n) => n + 11));
});

test('a source may set where a new reader starts', async () => {
  const { source } = memoryLog(['a', 'b', 'c']);
  const begin: EventSourceOf['begin'] = async (seen) =>
    seen === undefined ? { id: 2, event: 'ready', data: {} } : undefined;
  const app = serve({ ...source, begin });
  expect(ids(await (await app.request('/events?limit=2')).text())).toEqual([2, 3]);
  expect(ids(await (await app.request('/events?limit=2&after=1')).text())).toEqual([2, 3]);
  expect(await (await app.request('/events?limit=1')).text()).toBe('retry: 2000\n\nevent: ready\ndata: {}\nid: 2\n\n');
});

test('what comes later is sent when it comes', async () => {
  const { source, add, listeners } = memoryLog(['a']);
  const response = await serve(source).request('/events?limit=3');
  const body = response.text();
  add('b');
  add('c');
  expect(ids(await body)).toEqual([1, 2, 3]);
  expect(listeners.size).toBe(0);
});

test('silence is filled with comments', async () => {
  const { source, listeners } = memoryLog();
  const stopping = new AbortController();
  const response = await serve(source, { stopping: stopping.signal, heartbeatMs: 5 }).request('/events');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let heard = '';
  while (!heard.includes(': still here\n\n: still here\n\n')) heard += Buffer.from((await reader.read()).value ?? []);
  stopping.abort();
  while (!(await reader.read()).done);
  expect(listeners.size).toBe(0);
});

test('a reader that leaves is forgotten', async () => {
  const { source, add, listeners } = memoryLog(['a']);
  const response = await serve(source).request('/events');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  add('b');
  await expect.poll(() => listeners.size).toBe(0);
});

test.each(['-1', 'x', '1.5', '9'.repeat(20)])('Last-Event-ID %s is refused', async (id) => {
  const response = await serve(memoryLog().source).request('/events', { headers: { 'last-event-id': id } });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'request_invalid', issues: [{ path: 'Last-Event-ID' }] });
});

test('no more streams are open at once than the server takes; one that ends makes room', async () => {
  const { source, add, listeners } = memoryLog();
  const app = serve(source);
  // A request for the headers alone opens none.
  for (const _ of [1, 2, 3]) expect((await app.request('/events', { method: 'HEAD' })).status).toBe(200);
  expect(listeners.size).toBe(0);
  const open = await Promise.all([app.request('/events?limit=1'), app.request('/events?limit=1')]);
  const refused = await app.request('/events?limit=1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({ code: 'too_many_streams' });
  add('one');
  await Promise.all(open.map((response) => response.text()));
  const next = await app.request('/events?limit=1');
  expect(ids(await next.text())).toEqual([1]);
});
