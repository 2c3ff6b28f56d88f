import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { Browser, Gate } from '../../src/chromium/index.ts';
import type { WaymarkError } from '../../src/errors/index.ts';
import { launch } from '../support/browser-host.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';

async function failureOf(promise: Promise<unknown>): Promise<WaymarkError> {
  return promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as WaymarkError,
  );
}

describe('a browser that we started', () => {
  test('answers, tells events by session, and fails at deadlines and aborts while it goes on', async () => {
    await using browser = await launch();
    const { root } = browser.connection;
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const page = browser.connection.session(sessionId);
    await page.send('Page.enable');
    const loaded = page.next('Page.loadEventFired');
    await page.send('Page.navigate', { url: 'data:text/html;charset=utf-8,<title>é😀</title>' });
    await loaded;
    const { result } = await page.send('Runtime.evaluate', { expression: 'document.title' });
    expect(result.value).toBe('é😀');

    const forever = { expression: 'new Promise(() => {})', awaitPromise: true };
    expect(await failureOf(page.send('Runtime.evaluate', forever, { timeoutMs: 50 }))).toMatchObject({
      code: 'cdp_timeout',
      message: 'Runtime.evaluate was not answered within 50 ms.',
    });
    const signal = AbortSignal.timeout(50);
    expect(await failureOf(page.send('Runtime.evaluate', forever, { signal }))).toMatchObject({
      code: 'cdp_aborted',
      message: 'Runtime.evaluate was aborted.',
      cause: signal.reason,
    });
    expect(await failureOf(page.send('Page.navigate', { url: 'nowhere' }))).toMatchObject({
      code: 'cdp_refused',
      message: 'Page.navigate was refused by the browser: Cannot navigate to invalid URL',
    });
    expect((await page.send('Runtime.evaluate', { expression: '6 * 7' })).result.value).toBe(42);
  });

  test('killed: every request that waits is rejected at once, and later ones too', async () => {
    await using browser = await launch();
    const { root } = browser.connection;
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const page = browser.connection.session(sessionId);
    const forever = { expression: 'new Promise(() => {})', awaitPromise: true };
    const waiting = [
      ...Array.from({ length: 20 }, () => failureOf(page.send('Runtime.evaluate', forever))),
      failureOf(page.next('Page.loadEventFired')),
      failureOf(root.next('Target.targetCreated')),
    ];
    process.kill(browser.pid ?? 0, 'SIGKILL');
    const failures = await Promise.all(waiting);
    expect(new Set(failures.map(({ code }) => code))).toEqual(new Set(['cdp_closed']));
    expect(failures[0]?.message).toMatch(
      /^The connection to the browser is lost \(.+\); Runtime\.evaluate was not answered\.$/,
    );
    await browser.gone;
    expect(await failureOf(root.send('Browser.getVersion'))).toMatchObject({ code: 'cdp_closed' });
    expect(await failureOf(page.send('Page.reload'))).toMatchObject({ code: 'cdp_closed' });
  });

  test('frames of many megabytes come and go whole', async () => {
    await using browser = await launch();
    const { root } = browser.connection;
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const page = browser.connection.session(sessionId);
    const text = 'é😀"\\\u2028'.repeat(200_000);
    const { result } = await page.send('Runtime.evaluate', { expression: JSON.stringify(text) });
    expect(result.value === text).toBe(true);
  });
});

describe('a browser that the harness did not start', () => {
  test('is visited by ws:// and by http://, and goes on when we leave', async () => {
    await using remote = await startRemoteBrowser();
    for (const address of [remote.wsAddress, remote.httpAddress, `${remote.httpAddress}/`]) {
      const browser = await Browser.connect(address);
      expect(browser.identity).toEqual({
        product: expect.stringMatching(/^\w*Chrome\/\d+/),
        kind: 'remote',
        where: address,
      });
      expect(browser.pid).toBeUndefined();
      const waiting = failureOf(browser.connection.root.next('Target.targetCrashed'));
      await browser.close();
      expect(await waiting).toMatchObject({ code: 'cdp_closed' });
      expect(remote.isAlive()).toBe(true);
    }
    await using again = await Browser.connect(remote.wsAddress);
    const waiting = failureOf(again.connection.root.next('Target.targetCrashed'));
    process.kill(-remote.pid, 'SIGKILL');
    expect(await waiting).toMatchObject({ code: 'cdp_closed' });
    expect(await again.gone).toBe('the WebSocket was closed');
  });

  test('may lie behind a path, as our own gate does', async () => {
    await using browser = await launch();
    const { root } = browser.connection;
    const { browserContextId } = await root.send('Target.createBrowserContext', {});
    await using gate = await Gate.open({
      connection: browser.connection,
      contextId: browserContextId,
      contexts: { openContext: () => Promise.reject(new Error('none')), closeContext: () => Promise.resolve() },
      product: browser.identity.product,
    });
    await using guest = await Browser.connect(gate.httpAddress);
    const { targetId } = await guest.connection.root.send('Target.createTarget', { url: 'about:blank' });
    const { targetInfos } = await root.send('Target.getTargets', {});
    expect(targetInfos.find((info) => info.targetId === targetId)?.browserContextId).toBe(browserContextId);
  });

  test('through a proxy that writes its JSON in its own way', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (socket) => {
      socket.on('message', (data) => {
        const { id } = JSON.parse(String(data)) as { id: number };
        socket.send(JSON.stringify({ sessionId: 'S1', params: { timestamp: 5 }, method: 'Page.loadEventFired' }));
        socket.send(`{ "result": { "product": "Proxied/1" }, "id": ${id} }`);
      });
    });
    const { port } = server.address() as AddressInfo;
    await using browser = await Browser.connect(`ws://127.0.0.1:${port}/`);
    expect(browser.identity.product).toBe('Proxied/1');
    const event = browser.connection.session('S1').next('Page.loadEventFired');
    await browser.connection.root.send('Browser.getVersion');
    expect(await event).toEqual({ timestamp: 5 });
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
});

describe('addresses where there is no browser', () => {
  test('give a sentence each, and leave no connection', async () => {
    const http = createServer((request, response) => {
      response.end(request.url === '/other/json/version' ? '{"Browser":"x"}' : 'hello');
    });
    const babble = new WebSocketServer({ server: http });
    const left: Promise<unknown>[] = [];
    babble.on('connection', (socket, { url }) => {
      left.push(once(socket, 'close'));
      if (url !== '/mute') socket.on('message', () => socket.send('hello there'));
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as AddressInfo;
    const here = `127.0.0.1:${port}`;
    const sentences: [string, RegExp][] = [
      ['', /^No browser answers at : Invalid URL\.$/],
      ['nonsense', /^No browser answers at nonsense: Invalid URL\.$/],
      ['ws:', /^Could not connect to a browser at ws:: .*Invalid URL.*\.$/],
      ['ws://[bad', /^Could not connect to a browser at ws:\/\/\[bad: .*Invalid URL.*\.$/],
      ['ftp://x/', /^No browser answers at ftp:\/\/x\/: .+\.$/],
      ['http://127.0.0.1:1', /^No browser answers at http:\/\/127\.0\.0\.1:1: .+\.$/],
      [
        'ws://127.0.0.1:1/',
        /^Could not connect to a browser at ws:\/\/127\.0\.0\.1:1\/: connect ECONNREFUSED 127\.0\.0\.1:1\.$/,
      ],
      [`http://${here}`, /^No browser answers at http:\/\/127\.0\.0\.1:\d+: Unexpected token .+ is not valid JSON\.$/],
      [`http://${here}/other`, /^No browser answers at .+: \/json\/version names no webSocketDebuggerUrl\.$/],
      [
        `ws://${here}/babble`,
        /^No browser answers at .+: The connection to the browser is lost \(what is there does not speak CDP\); .+\.$/,
      ],
    ];
    for (const [address, sentence] of sentences) {
      const failure = await failureOf(Browser.connect(address));
      expect(failure, address).toMatchObject({ code: 'browser_unreachable', hint: expect.any(String) });
      expect(failure.message).toMatch(sentence);
    }
    const mute = await failureOf(Browser.connect(`ws://${here}/mute`, AbortSignal.timeout(100)));
    expect(mute.message).toBe(`No browser answers at ws://${here}/mute: Browser.getVersion was aborted.`);
    await Promise.all(left);
    expect(left).toHaveLength(2);
    http.close();
  });
});
