import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp, decideAccess, type Router, type ServerContext } from '../../src/server/index.ts';
import { appendRunLog, FolderArtifacts, Queue, type Store } from '../../src/store/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { seedRun } from '../support/seed.ts';
import { LARGE, testRoutes } from '../support/test-route-module.ts';

const TOKEN = 'a-token-of-some-length';
const HOST = { host: 'localhost:7520' };

describe.each(engines)('on $name', ({ name, prepare }) => {
  let engine: EngineUnderTest;
  let store: Store;
  let queue: Queue;
  let app: Router;
  let context: ServerContext;
  const logged: string[] = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-app-'));
  const stopping = new AbortController();
  beforeAll(async () => {
    engine = await prepare();
    store = await engine.open();
    queue = await Queue.start(store);
    await queue.define('t.job');
    context = {
      store,
      queue,
      artifacts: new FolderArtifacts(path.join(folder, 'artifacts')),
      version: '1.2.3',
      allowLocalProviders: false,
      stopping: stopping.signal,
      log: (line) => logged.push(line),
    };
    app = createApp({ ...context, access: decideAccess({ host: '127.0.0.1' }), routeModules: [testRoutes] });
  });
  afterAll(async () => {
    await queue?.stop();
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const json = (body: unknown, headers: Record<string, string> = {}) => ({
    method: 'POST',
    headers: { ...HOST, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

  test('it is alive and ready, and counts', async () => {
    expect(await (await app.request('/healthz', { headers: HOST })).json()).toEqual({ ok: true });
    expect(await (await app.request('/readyz', { headers: HOST })).json()).toEqual({ ok: true });
    const id = await store.db.transaction((tx) => queue.enqueue(tx, 't.job', {}));
    expect(id).not.toBeNull();
    const text = await (await app.request('/metrics', { headers: HOST })).text();
    expect(text).toContain(
      'waymark_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"} 1\n',
    );
    expect(text).toContain('waymark_jobs{queue="t.job",state="waiting"} 1\n');
    expect(text).toContain('waymark_info{version="1.2.3"} 1\n');
  });

  test("a run's log is replayed and followed as events", async () => {
    const { run } = await seedRun(store.db);
    const log = (message: string) =>
      store.db.transaction((tx) => appendRunLog(store, tx, run.id, [{ level: 'info', code: 'note', message }]));
    await log('one');
    await log('two');
    const following = await app.request(`/test/events/${run.id}?limit=2`, {
      headers: { ...HOST, 'last-event-id': '1' },
    });
    const body = following.text();
    await log('three');
    const events = [...(await body).matchAll(/^event: note\ndata: (.*)\nid: (\d+)$/gm)];
    expect(events.map(([, data, id]) => [Number(id), JSON.parse(String(data)).message])).toEqual([
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  // The rest does not depend on the database.
  if (name === 'PGlite') {
    const problemOf = async (response: Response) => {
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      const body = (await response.json()) as { status: number };
      expect(body.status).toBe(response.status);
      return body;
    };

    test('OpenAPI 3.1 describes every route of every route module', async () => {
      const document = (await (await app.request('/openapi.json', { headers: HOST })).json()) as Record<
        string,
        unknown
      >;
      expect(document).toMatchObject({
        openapi: '3.1.0',
        info: { title: 'Waymark', version: '1.2.3' },
        components: { schemas: { Problem: {}, Greeting: {} } },
        paths: {
          '/healthz': { get: {} },
          '/test/greet/{id}': {
            post: { responses: { 200: {}, 413: { content: { 'application/problem+json': {} } } } },
          },
        },
      });
    });

    test('errors are problems: typed, with issues, and without our secrets', async () => {
      expect(await problemOf(await app.request('/test/known', { headers: HOST }))).toEqual({
        type: 'about:blank',
        title: 'Not found',
        status: 404,
        detail: 'There is no run 1.',
        code: 'run_not_found',
        hint: 'Look again.',
        issues: [],
      });
      expect(await problemOf(await app.request('/test/refused', { headers: HOST }))).toMatchObject({
        status: 422,
        code: 'unknown_items',
        issues: [{ path: 'results[3]', code: 'unknown_item', message: 'not in the pack', item_id: 'q9' }],
      });
      const bug = await problemOf(await app.request('/test/bug', { headers: HOST }));
      expect(bug).toMatchObject({ status: 500, code: 'internal' });
      expect(JSON.stringify(bug)).not.toContain('hunter2');
      expect(logged.join('\n')).toMatch(
        /GET \/test\/bug failed \(request [0-9a-f-]{36}\): TypeError: the password is hunter2\n {4}at /,
      );
      expect(await problemOf(await app.request('/nothing', { headers: HOST }))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    });

    test('an invalid request is refused with what is invalid and where', async () => {
      expect(await (await app.request('/test/greet/1', json({ name: 'Ada' }))).json()).toEqual({
        greeting: 'hello Ada',
      });
      expect(await problemOf(await app.request('/test/greet/1', json({ tags: ['a', 2] })))).toMatchObject({
        status: 400,
        code: 'request_invalid',
        detail: 'Invalid request body.',
        issues: [
          { path: 'name', code: 'invalid_type' },
          { path: 'tags[1]', code: 'invalid_type' },
        ],
      });
      expect(await problemOf(await app.request('/test/greet/1', json('{"name":')))).toMatchObject({
        status: 400,
        code: 'json_malformed',
      });
      expect(await problemOf(await app.request('/test/greet/too-long', json({ name: 'x' })))).toMatchObject({
        detail: 'Invalid request param.',
      });
    });

    test.each([
      ['with its length', (body: Uint8Array<ArrayBuffer>) => body],
      ['in chunks', (body: Uint8Array<ArrayBuffer>) => new Blob([body]).stream()],
    ])('a body %s that is too large is refused before it is parsed', async (_, as) => {
      const send = (where: string, bytes: number) => {
        const body = as(new Uint8Array(bytes));
        const length = body instanceof Uint8Array ? { 'content-length': String(bytes) } : {};
        return app.request(where, {
          method: 'POST',
          headers: { ...HOST, ...length },
          body,
          duplex: 'half',
        } as RequestInit);
      };
      expect(await problemOf(await send('/test/greet/1', 1024 * 1024 + 1))).toMatchObject({
        status: 413,
        code: 'payload_too_large',
        detail: 'The request is larger than 1,048,576 bytes.',
      });
      expect(await (await send('/test/large', LARGE)).json()).toEqual({ bytes: LARGE });
      expect((await send('/test/large', LARGE + 1)).status).toBe(413);
      // The exception is for its own path, not for all that begin like it.
      expect((await send('/test/large-not', LARGE)).status).toBe(413);
    });

    test('a request for another host is refused, on every path', async () => {
      for (const path of ['/healthz', '/test/known', '/app/', '/openapi.json']) {
        const response = await app.request(path, { headers: { host: 'evil.test' } });
        expect(await problemOf(response)).toMatchObject({ status: 421, code: 'host_refused' });
      }
      expect((await app.request('/healthz')).status).toBe(421);
    });

    test.each([
      ['a foreign origin', { origin: 'https://evil.test' }, 403],
      ['a sandboxed page', { origin: 'null' }, 403],
      ['our name on another port', { origin: 'http://localhost:1' }, 403],
      ['another site without an origin', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
      ['a sister site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
      ['our own page', { origin: 'http://localhost:7520', 'sec-fetch-site': 'same-origin' }, 200],
      ['our own page behind https', { origin: 'https://localhost:7520' }, 200],
      ['a program', {}, 200],
    ])('%s posts and reads: %o → %i', async (_, headers, status) => {
      expect((await app.request('/test/greet/1', json({ name: 'x' }, headers))).status).toBe(status);
      expect((await app.request('/healthz', { headers: { ...HOST, ...headers } })).status).toBe(status);
    });

    test('a link from elsewhere opens the page, but a frame does not, and a form sends nothing', async () => {
      const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
      const open = (dest: string, method = 'GET') =>
        app.request('/app/', { method, headers: { ...HOST, ...from, 'sec-fetch-dest': dest } });
      expect((await open('document')).status).toBe(200);
      expect((await open('iframe')).status).toBe(403);
      expect((await open('document', 'POST')).status).toBe(403);
    });

    test('with a token: nobody without it, by header or by cookie, and the address is cleaned', async () => {
      const guarded = createApp({
        ...context,
        access: decideAccess({ host: '0.0.0.0', token: TOKEN }),
        routeModules: [testRoutes],
      });
      const ask = (path: string, headers: Record<string, string> = {}) =>
        guarded.request(path, { headers: { ...HOST, ...headers } });
      expect(await problemOf(await ask('/test/known'))).toMatchObject({ status: 401, code: 'token_required' });
      for (const path of ['/', '/app/', '/metrics', '/openapi.json', '/nothing'])
        expect((await ask(path)).status).toBe(401);
      for (const path of ['/healthz', '/readyz']) expect((await ask(path)).status).toBe(200);
      for (const wrong of [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, 'Bearer ', TOKEN, `Basic ${TOKEN}`]) {
        expect((await ask('/test/known', { authorization: wrong })).status).toBe(401);
      }
      expect((await ask('/test/known', { authorization: `Bearer ${TOKEN}` })).status).toBe(404);
      expect((await ask('/app/?token=wrong')).status).toBe(401);
      const entered = await ask(`/app/runs?token=${TOKEN}&x=1`);
      expect([entered.status, entered.headers.get('location')]).toEqual([303, '/app/runs?x=1']);
      const cookie = entered.headers.get('set-cookie') ?? '';
      expect(cookie).toMatch(/^waymark_token=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
      expect((await ask('/app/', { cookie: String(cookie.split(';')[0]) })).status).toBe(200);
      // The cookie is no way around the origin.
      expect((await ask('/app/', { cookie: String(cookie.split(';')[0]), origin: 'https://evil.test' })).status).toBe(
        403,
      );
    });

    test('with a token: a browser gets a page to sign in with, whose form sets the cookie and leads back', async () => {
      const guarded = createApp({
        ...context,
        access: decideAccess({ host: '127.0.0.1', token: TOKEN }),
        routeModules: [testRoutes],
      });
      const page = await guarded.request('/app/runs?dataset="x"', { headers: { ...HOST, accept: 'text/html,*/*' } });
      const text = await page.text();
      expect([page.status, page.headers.get('content-type')]).toEqual([401, 'text/html; charset=UTF-8']);
      expect(text).toContain('<h1>Sign in to Waymark</h1>');
      expect(text).toContain('name="next" value="/app/runs?dataset=%22x%22"');
      const nonce = /style nonce="([^"]+)"/.exec(text)?.[1];
      expect(page.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
      const send = (form: Record<string, string>, headers: Record<string, string> = {}) => {
        const body = new URLSearchParams(form).toString();
        const type = 'application/x-www-form-urlencoded';
        const length = String(body.length);
        return guarded.request('/sign-in', {
          method: 'POST',
          headers: {
            ...HOST,
            origin: 'http://localhost:7520',
            'content-type': type,
            'content-length': length,
            ...headers,
          },
          body,
        });
      };
      const wrong = await send({ token: 'something-else-entirely', next: '/app/runs?x=1' });
      expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
      expect(await wrong.text()).toContain('That is not the token of this server.');
      const right = await send({ token: ` ${TOKEN} `, next: '/app/runs?x=1' });
      expect([right.status, right.headers.get('location')]).toEqual([303, '/app/runs?x=1']);
      expect(right.headers.get('set-cookie')).toMatch(/^waymark_token=[^;]+; Path=\/; HttpOnly; SameSite=Strict$/);
      // No address of another server, and no form of another site.
      for (const next of ['//evil.test', 'https://evil.test/', '/\\evil.test', '/.//evil.test', '\\\\evil.test']) {
        expect((await send({ token: TOKEN, next })).headers.get('location')).toBe('/app/');
      }
      expect((await send({ token: TOKEN, next: '/' }, { origin: 'https://evil.test' })).status).toBe(403);
      expect((await send({ token: TOKEN, next: `/${'x'.repeat(9_000)}` })).status).toBe(401);
    });

    test('every answer has the headers of a careful server, refusals too', async () => {
      for (const path of ['/healthz', '/nothing', '/test/bug', '/app/']) {
        const { headers } = await app.request(path, { headers: HOST });
        expect(Object.fromEntries(headers)).toMatchObject({
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'no-store',
        });
        const policy = headers.get('content-security-policy') ?? '';
        expect(policy).toContain("default-src 'none'; script-src 'self';");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toMatch(/unsafe|\*/);
      }
      expect((await app.request('/healthz', { headers: { host: 'evil.test' } })).headers.get('x-frame-options')).toBe(
        'DENY',
      );
    });

    test('without a built web app a plain page says so', async () => {
      const root = await app.request('/', { headers: HOST });
      expect([root.status, root.headers.get('location')]).toEqual([302, '/app/']);
      expect(await (await app.request('/app/', { headers: HOST })).text()).toContain('The web app is not built here.');
    });

    test('with one, its page is served for its own routes, with a nonce, and nothing outside of its folder', async () => {
      const webFolder = path.join(folder, 'web');
      mkdirSync(path.join(webFolder, 'assets'), { recursive: true });
      writeFileSync(path.join(webFolder, 'index.html'), '<meta property="csp-nonce" nonce="__CSP_NONCE__">');
      writeFileSync(path.join(webFolder, 'icon.svg'), '<svg/>');
      writeFileSync(path.join(webFolder, 'assets/app-1a2b.js'), 'export {};');
      writeFileSync(path.join(folder, 'secret.txt'), 'hunter2');
      const web = createApp({ ...context, access: decideAccess({ host: '127.0.0.1' }), routeModules: [], webFolder });
      const ask = (where: string) => web.request(where, { headers: HOST });
      for (const where of ['/app/', '/app/runs/1']) {
        const page = await ask(where);
        const nonce = /nonce="([^"]+)"/.exec(await page.text())?.[1];
        expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
        expect(page.headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
      }
      const script = await ask('/app/assets/app-1a2b.js');
      expect(script.headers.get('content-type')).toMatch(/^text\/javascript/);
      expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect((await ask('/app/icon.svg')).headers.get('content-type')).toMatch(/^image\/svg\+xml/);
      for (const where of [
        '/app/assets/none.js',
        '/app/none.svg',
        '/app/assets/..%2f..%2fsecret.txt',
        '/app/%2e%2e/secret.txt',
        '/app/..%5csecret.txt',
      ]) {
        const response = await ask(where);
        expect([where, response.status]).toEqual([where, 404]);
        expect(await response.text()).not.toContain('hunter2');
      }
    });

    test('when it stops, it is not ready any more', async () => {
      const late = new AbortController();
      const ending = createApp({
        ...context,
        stopping: late.signal,
        access: decideAccess({ host: '127.0.0.1' }),
        routeModules: [],
      });
      late.abort();
      expect(await problemOf(await ending.request('/readyz', { headers: HOST }))).toMatchObject({
        status: 503,
        code: 'stopping',
      });
      expect((await ending.request('/healthz', { headers: HOST })).status).toBe(200);
    });
  }
});
