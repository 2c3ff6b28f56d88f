import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { startFixtureServer } from '../../fixtures/server.ts';
import {
  type NetworkPolicy,
  Pool,
  RECORDING_FORMAT,
  type RecordedEntry,
  type Recording,
  readRecording,
  writeRecording,
} from '../../src/chromium/index.ts';
import { launch, openBrowserHost, type TestHost } from '../support/browser-host.ts';
import { evaluate, type Shown, show, until } from '../support/lab.ts';

/** A site with what the fixture pages do not have: answers that change, bytes that are no text, workers, a WebSocket. */
async function startSite() {
  let asked = 0;
  const scripts: Record<string, string> = {
    '/worker.js': `onmessage = ({ data }) => fetch(data).then((r) => r.text(), String).then(postMessage)`,
    '/shared.js': `onconnect = ({ ports: [port] }) => { port.onmessage = ({ data }) => fetch(data).then((r) => r.text(), String).then((t) => port.postMessage(t)) }`,
    '/sw.js': `oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());
      onmessage = ({ data, source }) => fetch(data).then((r) => r.text(), String).then((t) => source.postMessage(t))`,
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const body = await buffer(request);
    const say = (type: string, content: string | Buffer): void => {
      response.writeHead(200, {
        'content-type': type,
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'x-asked',
      });
      response.end(content);
    };
    if (pathname === '/count') return say('text/plain', `answer ${++asked}`);
    if (pathname === '/echo')
      return say(
        'text/plain',
        createHash('sha256').update(body.subarray(0, 40)).update(String(body.length)).digest('hex'),
      );
    if (pathname === '/binary')
      return say('application/octet-stream', Buffer.from(Array.from({ length: 256 }, (_, i) => i)));
    if (pathname === '/latin1') return say('text/html; charset=iso-8859-1', Buffer.from('<p>caf\xe9</p>', 'latin1'));
    if (pathname === '/moved') {
      response.writeHead(302, { location: '/landed', 'set-cookie': ['one=1', 'two=2'] });
      response.end('gone to /landed');
      return;
    }
    if (pathname === '/missing') {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('not here');
      return;
    }
    const script = scripts[pathname];
    if (script) return say('text/javascript', script);
    say('text/html', `<!doctype html><link rel="icon" href="data:,"><title>${pathname}</title><h1>${pathname}</h1>`);
  };
  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({ server });
  let connections = 0;
  sockets.on('connection', () => {
    connections++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    resolverRule: `MAP site.test 127.0.0.1:${port}, MAP other.test 127.0.0.1:${port}`,
    sockets: () => connections,
    async close(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

let host: TestHost;
let site: Awaited<ReturnType<typeof startSite>>;
let fixtures: Awaited<ReturnType<typeof startFixtureServer>>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-recordings-'));
  [site, fixtures] = await Promise.all([startSite(), startFixtureServer()]);
  host = await openBrowserHost({
    resolverRules: `${fixtures.resolverRules}, ${site.resolverRule}`,
    extraFlags: ['--site-per-process'],
  });
});
afterAll(async () => {
  await Promise.all([host[Symbol.asyncDispose](), site.close(), fixtures[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Records what `visit` does, and gives back the recording from its file, and what `visit` saw. */
async function record<T>(visit: (context: Shown) => Promise<T>): Promise<{ seen: T; recording: Recording }> {
  const entries: RecordedEntry[] = [];
  await using context = await host.openContext({
    network: { mode: 'record', onEntry: (entry) => entries.push(entry) },
  });
  const seen = await visit(context);
  const file = path.join(folder, 'site.json');
  writeRecording(file, { format: RECORDING_FORMAT, source: 'a test', entries });
  return { seen, recording: readRecording(file) };
}

async function replay<T>(
  recording: Recording,
  visit: (context: Shown) => Promise<T>,
): Promise<{ seen: T; misses: string[] }> {
  const misses: string[] = [];
  const network: NetworkPolicy = { mode: 'replay', recording, onMiss: (request) => misses.push(request) };
  await using context = await host.openContext({ network });
  return { seen: await visit(context), misses };
}

async function look(context: Shown): Promise<unknown> {
  const { url, title, dom, text, actionable, frames } = await context.witness.observe({ full: true });
  return { url, title, dom, text, actionable, frames };
}

const get = (url: string) => `fetch('${url}').then((r) => r.text(), String)`;
const REFUSED = 'TypeError: Failed to fetch';

describe('record, then replay', () => {
  test('the fixture pages look the same when their server is gone: digests, text, frames, a form that is sent', async () => {
    const own = await startFixtureServer();
    await using recordingHost = await openBrowserHost({
      resolverRules: own.resolverRules,
      extraFlags: ['--site-per-process'],
    });
    const visit = async (context: Shown): Promise<unknown[]> => {
      const looks: unknown[] = [];
      for (const page of ['/small', '/nodes?n=300', '/shadow', '/redirect?to=/list']) {
        await show(context, own.origin + page);
        looks.push(await look(context));
      }
      await show(context, `${own.origin}/frames`);
      await until(async () => (await context.witness.observe()).frames.length === 3, 'three frames');
      looks.push(await look(context));
      await show(context, `${own.origin}/form`);
      const loaded = context.firstPage.session.next('Page.loadEventFired');
      await evaluate(
        context,
        `{ const set = (id, value) => { document.getElementById(id).value = value };
           set('name', 'Ada'); set('email', 'ada@example.com'); set('plan', 'basic');
           document.getElementById('terms').checked = true; document.getElementById('submit').click(); }`,
      );
      await loaded;
      looks.push(await look(context));
      return looks;
    };
    const entries: RecordedEntry[] = [];
    let live: unknown[];
    {
      await using context = await recordingHost.openContext({
        network: { mode: 'record', onEntry: (entry) => entries.push(entry) },
      });
      live = await visit(context);
    }
    await own[Symbol.asyncDispose]();
    const misses: string[] = [];
    const recording: Recording = { format: RECORDING_FORMAT, source: 'a test', entries };
    await using context = await recordingHost.openContext({
      network: { mode: 'replay', recording, onMiss: (request) => misses.push(request) },
    });
    expect(await visit(context)).toEqual(live);
    expect(live.at(-1)).toMatchObject({ url: expect.stringContaining('/form/done?name=Ada'), title: 'Thank you' });
    expect(misses).toEqual([]);
  });

  test('a second request gets the second answer, and from then on the last', async () => {
    const visit = async (context: Shown, times: number): Promise<string[]> => {
      await show(context, 'http://site.test/page');
      const answers: string[] = [];
      for (let i = 0; i < times; i++) answers.push(await evaluate(context, get('/count')));
      return answers;
    };
    const { seen, recording } = await record((context) => visit(context, 3));
    expect(new Set(seen).size).toBe(3);
    const { seen: again } = await replay(recording, (context) => visit(context, 5));
    expect(again).toEqual([...seen, seen[2], seen[2]]);
    const { seen: fresh } = await replay(recording, (context) => visit(context, 1));
    expect(fresh).toEqual([seen[0]]);
  });

  test('posts are distinguished by their bodies: text, bytes, blobs, forms, large ones; an unknown body is a miss', async () => {
    const bodies = [
      `'one'`,
      `'two é'`,
      'new Uint8Array([0, 255, 254])',
      'new Uint8Array([0, 255, 253])',
      `new Blob(['blob'])`,
      `(() => { const f = new FormData(); f.append('a', '1'); f.append('b', new File(['x'], 'x.txt')); return f; })()`,
      `'x'.repeat(1_000_000)`,
    ];
    const post = (body: string) => `fetch('/echo', { method: 'POST', body: ${body} }).then((r) => r.text(), String)`;
    const visit = async (context: Shown, sent: string[]): Promise<string[]> => {
      await show(context, 'http://site.test/page');
      return await sent.reduce<Promise<string[]>>(
        async (before, body) => [...(await before), await evaluate<string>(context, post(body))],
        Promise.resolve([]),
      );
    };
    const { seen, recording } = await record((context) => visit(context, bodies));
    expect(new Set(seen).size).toBe(bodies.length);
    const backwards = [...bodies].reverse();
    const again = await replay(recording, (context) => visit(context, backwards));
    expect(again).toEqual({ seen: [...seen].reverse(), misses: [] });
    const unknown = await replay(recording, (context) => visit(context, [`'three'`]));
    expect(unknown).toEqual({ seen: [REFUSED], misses: ['POST http://site.test/echo'] });
  });

  test('redirects, cookies, statuses, bytes and old encodings are as they were', async () => {
    const visit = async (context: Shown): Promise<unknown> => {
      await show(context, 'http://site.test/moved');
      const where = await evaluate(context, '[location.href, document.title, document.cookie]');
      const bytes = await evaluate(context, `fetch('/binary').then((r) => r.bytes()).then((b) => [...b].join())`);
      const missing = await evaluate(context, `fetch('/missing').then(async (r) => [r.status, await r.text()])`);
      const across = await evaluate(
        context,
        `fetch('http://other.test/page', { headers: { 'x-asked': '1' } }).then((r) => r.text(), String)`,
      );
      await show(context, 'http://site.test/latin1');
      return { where, bytes, missing, across, latin1: await evaluate(context, 'document.body.textContent') };
    };
    const { seen, recording } = await record(visit);
    expect(seen).toEqual({
      where: ['http://site.test/landed', '/landed', 'one=1; two=2'],
      bytes: Array.from({ length: 256 }, (_, i) => i).join(),
      missing: [404, 'not here'],
      across: expect.stringContaining('<h1>/page</h1>'),
      latin1: 'café',
    });
    expect(await replay(recording, visit)).toEqual({ seen, misses: [] });
  });

  test('workers of every kind replay what they ask for, and popups do', async () => {
    const origin = `http://localhost:${site.port}`;
    const visit = async (context: Shown): Promise<unknown> => {
      await show(context, `${origin}/page`);
      const dedicated = await evaluate(
        context,
        `new Promise((resolve) => { const w = new Worker('/worker.js'); w.onmessage = (e) => resolve(e.data); w.postMessage('/a') })`,
      );
      const shared = await evaluate(
        context,
        `new Promise((resolve) => { const { port } = new SharedWorker('/shared.js'); port.onmessage = (e) => resolve(e.data); port.postMessage('/b') })`,
      );
      const service = await evaluate(
        context,
        `(async () => { await navigator.serviceWorker.register('/sw.js'); const { active } = await navigator.serviceWorker.ready;
          return new Promise((resolve) => { navigator.serviceWorker.onmessage = (e) => resolve(e.data); active.postMessage('/c') }) })()`,
      );
      await evaluate(context, `window.open('/popup') && 1`);
      await until(() => context.witness.pages.some(({ url }) => url === `${origin}/popup`), 'the popup');
      return [dedicated, shared, service];
    };
    const { seen, recording } = await record(visit);
    expect(seen).toEqual(['/a', '/b', '/c'].map((name) => expect.stringContaining(`<h1>${name}</h1>`)));
    expect(await replay(recording, visit)).toEqual({ seen, misses: [] });
  });
});

describe('a site that cannot be reached', () => {
  const recording = readRecording(path.join(import.meta.dirname, '../../fixtures/recordings/example.com.json'));

  test('https://example.com/ is shown offline, as a secure context; requests that are not recorded are refused and reported', async () => {
    const { misses } = await replay(recording, async (context) => {
      await show(context, 'https://example.com/');
      expect(await context.witness.observe()).toMatchObject({
        state: 'ok',
        url: 'https://example.com/',
        title: 'Example Domain',
      });
      expect(await evaluate(context, 'isSecureContext')).toBe(true);
      expect(await evaluate(context, get('/other'))).toBe(REFUSED);
      await expect(show(context, 'https://iana.org/domains/example')).rejects.toThrow('ERR_BLOCKED_BY_CLIENT');
    });
    expect(misses).toEqual(['GET https://example.com/other', 'GET https://iana.org/domains/example']);
  });

  test('the same with a browser for every slot', async () => {
    const browsers: number[] = [];
    await using pool = new Pool({
      slots: 2,
      isolation: 'process',
      start: () => launch(),
      witness: { network: { mode: 'replay', recording } },
      onEvent: (event) => {
        if (event.type === 'browser_started') browsers.push(event.pid ?? 0);
      },
    });
    await using one = (await pool.acquire()).slot;
    await using two = (await pool.acquire()).slot;
    expect(one.host).not.toBe(two.host);
    for (const slot of [one, two]) {
      await show(slot, 'https://example.com/');
      expect((await slot.witness.observe()).title).toBe('Example Domain');
    }
  });
});

describe('blocked', () => {
  test('nothing is reached but the allowed hosts, from pages, frames, workers of any kind and popups', async () => {
    const misses: string[] = [];
    await using context = await host.openContext({
      network: { mode: 'blocked', allowHosts: ['localhost'], onMiss: (request) => misses.push(request) },
    });
    const origin = `http://localhost:${site.port}`;
    await show(context, `${origin}/page`);
    expect(await evaluate(context, get('/ok'))).toContain('<h1>/ok</h1>');
    expect(await evaluate(context, get('data:,inline'))).toBe('inline');
    expect(await evaluate(context, `fetch(URL.createObjectURL(new Blob(['blob']))).then((r) => r.text())`)).toBe(
      'blob',
    );
    expect(await evaluate(context, 'navigator.onLine')).toBe(true);
    misses.length = 0;

    expect(await evaluate(context, get('http://site.test/page'))).toBe(REFUSED);
    const ask = (from: string) =>
      `new Promise((resolve) => { const at = ${from}; at.onmessage = (e) => resolve(e.data); `;
    expect(
      await evaluate(context, `${ask(`new Worker('/worker.js')`)} at.postMessage('http://site.test/worker') })`),
    ).toBe(REFUSED);
    expect(
      await evaluate(
        context,
        `${ask(`new SharedWorker('/shared.js').port`)} at.postMessage('http://site.test/shared') })`,
      ),
    ).toBe(REFUSED);
    expect(
      await evaluate(
        context,
        `(async () => { await navigator.serviceWorker.register('/sw.js'); const { active } = await navigator.serviceWorker.ready;
          return ${ask('navigator.serviceWorker')} active.postMessage('http://site.test/service') }) })()`,
      ),
    ).toBe(REFUSED);
    await evaluate(context, `window.open('http://site.test/popup') && 1`);
    await evaluate(
      context,
      `{ const f = document.createElement('iframe'); f.src = 'http://site.test/frame'; document.body.append(f) } 1`,
    );
    await evaluate(context, `navigator.sendBeacon('http://site.test/beacon', 'x')`);
    const expected = ['page', 'worker', 'shared', 'service', 'popup', 'frame'].map(
      (name) => `GET http://site.test/${name}`,
    );
    await until(() => misses.length > expected.length, 'all misses');
    expect(misses.sort()).toEqual([...expected, 'POST http://site.test/beacon'].sort());
  });

  test('WebSockets, which the Fetch domain does not see, are not opened either, except to the allowed; from workers of any kind', async () => {
    await using context = await host.openContext({ network: { mode: 'blocked', allowHosts: ['localhost'] } });
    await show(context, `http://localhost:${site.port}/page`);
    const open = (host: string) =>
      `new Promise((resolve) => { const s = new WebSocket('ws://${host}:${site.port}/'); s.onopen = () => resolve('open'); s.onerror = () => resolve('refused') })`;
    const both = `Promise.all([${open('127.0.0.1')}, ${open('localhost')}]).then(String)`;
    const script = (code: string) => `URL.createObjectURL(new Blob([${JSON.stringify(code)}]))`;
    const answer = (worker: string) =>
      `new Promise((resolve) => { const at = ${worker}; at.onmessage = (e) => resolve(e.data) })`;
    const inWorker = `${both}.then(postMessage)`;
    const before = site.sockets();
    const answers = {
      page: both,
      dedicated: answer(`new Worker(${script(inWorker)})`),
      nested: answer(
        `new Worker(${script(`const at = new Worker(${script(inWorker)}); at.onmessage = (e) => postMessage(e.data)`)})`,
      ),
      shared: answer(
        `new SharedWorker(${script(`onconnect = ({ ports: [port] }) => ${both}.then((t) => port.postMessage(t))`)}).port`,
      ),
      // A page that looks for the browser's own constructor does not find it.
      hidden: answer(
        `new SharedWorker(${script(`onconnect = ({ ports: [port] }) => {
          const WebSocket = Object.getPrototypeOf(new self.WebSocket('ws://localhost:${site.port}/')).constructor;
          ${both}.then((t) => port.postMessage(t)) }`)}).port`,
      ),
    };
    for (const [from, expression] of Object.entries(answers))
      expect(await evaluate(context, expression), from).toBe('refused,open');
    // One from each place, and the one that was only made to look at.
    expect(site.sockets() - before).toBe(Object.keys(answers).length + 1);
    const transport = `typeof WebTransport + '/' + typeof document.body.appendChild(document.createElement('iframe')).contentWindow.WebTransport`;
    expect(await evaluate(context, transport)).toBe('undefined/undefined');
  });

  test('without allowed hosts, nothing at all', async () => {
    const misses: string[] = [];
    await using context = await host.openContext({
      network: { mode: 'blocked', onMiss: (request) => misses.push(request) },
    });
    await expect(show(context, 'http://site.test/page')).rejects.toThrow('ERR_BLOCKED_BY_CLIENT');
    expect(misses).toEqual(['GET http://site.test/page']);
  });
});

describe('live', () => {
  test('everything passes, with or without saying so', async () => {
    for (const network of [undefined, { mode: 'live' } as const]) {
      await using context = await host.openContext({ network });
      await show(context, 'http://site.test/page');
      expect(await evaluate(context, get('/ok'))).toContain('<h1>/ok</h1>');
    }
  });
});
