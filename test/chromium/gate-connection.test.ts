import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gate } from '../../src/chromium/index.ts';
import { behindGate, infoOf, NO_TARGET, openGateLab, optionsFor, otherSlot, targetsOf } from '../support/gate-lab.ts';
import { evaluate, type Lab, openLab, until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openGateLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('the address', () => {
  test('one client; another one gets 409 until the first has left', async () => {
    await using ours = await behindGate(lab);
    expect(await RawClient.refusal(ours.gate.wsAddress)).toBe(409);
    expect(await ours.client.send('Browser.getVersion')).toHaveProperty('product');
    await ours.client.close();
    await until(async () => (await RawClient.refusal(ours.gate.wsAddress)) !== 409, 'the place to be free');
  });

  test('a wrong secret gets 404, an Origin or a foreign Host 403', async () => {
    await using ours = await behindGate(lab);
    const { gate } = ours;
    await ours.client.close();
    const address = new URL(gate.wsAddress);
    const [, secret = ''] = address.pathname.split('/');
    expect(secret).toMatch(/^[0-9a-f]{32}$/);
    const other = secret.startsWith('0') ? `1${secret.slice(1)}` : `0${secret.slice(1)}`;
    for (const path of [
      `/${other}/devtools/browser/waymark`,
      '/devtools/browser/waymark',
      `/${secret}`,
      '/',
      `/${secret}x/devtools/browser/x`,
    ]) {
      expect(await RawClient.refusal(`ws://127.0.0.1:${gate.port}${path}`), path).toBe(404);
    }
    expect(await RawClient.refusal(gate.wsAddress, { origin: 'http://127.0.0.1' })).toBe(403);
    for (const host of ['evil.test', `evil.test:${gate.port}`, '127.0.0.1.evil.test']) {
      expect(await RawClient.refusal(gate.wsAddress, { headers: { host } }), host).toBe(403);
    }
    expect(await RawClient.refusal(gate.wsAddress, { headers: { host: `localhost:${gate.port}` } })).toBe('open');
  });

  test('discovery is behind the secret too, unless it is opened', async () => {
    await using ours = await behindGate(lab);
    const { gate, slot } = ours;
    const version = {
      Browser: slot.host.browser.identity.product,
      'Protocol-Version': '1.3',
      webSocketDebuggerUrl: gate.wsAddress,
    };
    // Clients resolve the path against the address or append it, with and without slashes.
    expect(gate.httpAddress).toMatch(/[0-9a-f]{32}\/$/);
    for (const path of ['json/version', '/json/version', 'json/version/'])
      expect(await (await fetch(gate.httpAddress + path)).json(), path).toEqual(version);
    const bare = `http://127.0.0.1:${gate.port}`;
    for (const address of [
      `${bare}/json/version`,
      `${bare}/json/list`,
      `${gate.httpAddress}json/made-up`,
      `${gate.httpAddress}json/close/made-up`,
      gate.httpAddress,
      `${bare}/`,
    ]) {
      expect((await fetch(address)).status, address).toBe(404);
    }
    await using open = await Gate.open({ ...optionsFor(slot), openDiscovery: true });
    expect((await fetch(`http://127.0.0.1:${open.port}/json/version`)).status).toBe(200);
    const rebound = await new Promise<number | undefined>((resolve) => {
      get(
        { port: open.port, host: '127.0.0.1', path: '/json/version', headers: { host: 'evil.test' } },
        ({ statusCode }) => resolve(statusCode),
      );
    });
    expect(rebound).toBe(404);
  });

  test('it listens on loopback only', async () => {
    await using ours = await behindGate(lab);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of [...outside, { address: '127.0.0.2' }]) {
      const socket = connect(ours.gate.port, address);
      const [error] = await once(socket, 'error').catch((thrown: unknown) => [thrown]);
      expect(error, address).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });
});

describe('whatever a client sends', () => {
  test('malformed messages are answered, under their id where they have one, and the gate goes on', async () => {
    await using ours = await behindGate(lab);
    const { client } = ours;
    const error = { code: -32700, message: 'Message must be a valid CDP command' };
    const cases: [string | Buffer, number | undefined][] = [
      ['no json', undefined],
      ['', undefined],
      ['null', undefined],
      ['[]', undefined],
      ['{"id":"1","method":"Browser.getVersion"}', undefined],
      ['{"id":1001}', 1001],
      ['{"id":1002,"method":""}', 1002],
      ['{"id":1003,"method":"Browser.getVersion","params":[]}', 1003],
      ['{"id":1004,"method":"Browser.getVersion","sessionId":5}', 1004],
      [`{"id":1005,"method":"${'x'.repeat(300)}"}`, 1005],
      [Buffer.from([0xff, 0xfe, 0x00]), undefined],
    ];
    for (const [data, id] of cases) {
      const answer = client.message((message) => message.error !== undefined, 'an answer');
      client.socket.send(data);
      expect(await answer, String(data)).toEqual({ error, ...(id === undefined ? {} : { id }) });
    }
    expect(await client.send('Browser.getVersion')).toHaveProperty('product');
  });

  test('large answers, Unicode and binary content pass intact', async () => {
    await using ours = await behindGate(lab);
    const session = await ours.attach();
    const text = await ours.client.evaluate<string>(session, `'é😀\\u0000"}'.repeat(600_000)`);
    expect(text === 'é😀\u0000"}'.repeat(600_000)).toBe(true);
    const tail = ',"sessionId":"ABC"}';
    expect(await ours.client.evaluate(session, JSON.stringify(tail))).toBe(tail);
    const sent = '\u{1f5fa}\u2028\\"'.repeat(100_000);
    expect(await ours.client.evaluate(session, `${JSON.stringify(sent)}.length`)).toBe(sent.length);
    const { data } = await ours.client.send('Page.captureScreenshot', { format: 'png' }, session);
    const png = Buffer.from(String(data), 'base64');
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect(png.subarray(-8, -4).toString('latin1')).toBe('IEND');
  });

  test('methods are counted, the guard is asked first, and its reason is the answer', async () => {
    const driven: string[] = [];
    await using ours = await behindGate(lab, {
      guard: (method, params) =>
        method === 'Page.navigate' && String(params['url']).includes('forbidden') ? 'not in this task' : undefined,
      onDrive: (targetId) => driven.push(targetId),
    });
    const session = await ours.attach();
    await ours.client.evaluate(session, '1');
    await ours.client.evaluate(session, '2');
    expect(driven).toEqual([]);
    const { error } = await ours.client.ask('Page.navigate', { url: `${lab.server.origin}/forbidden` }, session);
    expect(error).toEqual({ code: -32000, message: 'not in this task' });
    expect(driven).toEqual([]);
    await ours.client.send('Page.navigate', { url: `${lab.server.origin}/list` }, session);
    expect(driven).toEqual([ours.pageId]);
    expect(Object.fromEntries(ours.gate.methods)).toEqual({
      'Target.attachToTarget': 1,
      'Runtime.evaluate': 2,
      'Page.navigate': 2,
    });
    expect(ours.gate.refused).toEqual([{ method: 'Page.navigate', reason: 'not in this task' }]);
  });

  test('the record is bounded, however many names a client makes up', async () => {
    await using ours = await behindGate(lab);
    for (let i = 0; i < 1_100; i++) ours.client.socket.send(JSON.stringify({ id: i + 10, method: `Made.up${i}` }));
    await ours.client.send('Browser.getVersion');
    expect(ours.gate.methods.size).toBe(1_000);
    expect(ours.gate.refused).toHaveLength(200);
    expect(ours.gate.refused.at(-1)?.method).toBe('Made.up1099');
  });
});

describe('retargeting', () => {
  test('the old client is disconnected, the new one sees the new context only, and old ids are refused', async () => {
    await using ours = await behindGate(lab);
    await using next = await otherSlot(lab, '/form');
    const oldSession = await ours.attach();
    const driven: string[] = [];
    expect(ours.gate.hasConnected).toBe(true);
    await ours.gate.retarget({ ...optionsFor(next), onDrive: (targetId) => driven.push(targetId) });
    expect(await ours.client.closed).toEqual({ code: 1012, reason: 'the gate leads to another context now' });
    expect(ours.gate.methods.size).toBe(0);
    expect(ours.gate.hasConnected).toBe(false);

    await using client = await RawClient.connect(ours.gate.wsAddress);
    expect(ours.gate.hasConnected).toBe(true);
    const infos = await targetsOf(client);
    expect(new Set(infos.map(({ browserContextId }) => browserContextId))).toEqual(new Set([next.contextId]));
    const { error } = await client.ask('Target.attachToTarget', { targetId: ours.pageId, flatten: true });
    expect(error).toEqual(NO_TARGET);
    expect((await client.ask('Runtime.evaluate', { expression: '1' }, oldSession)).error).toMatchObject({
      code: -32001,
    });
    const session = await client.attach(next.firstPage.targetId);
    await client.send('Page.navigate', { url: `${lab.server.origin}/list` }, session);
    expect((await next.witness.observe()).url).toBe(`${lab.server.origin}/list`);
    expect((await ours.slot.witness.observe()).url).toBe(`${lab.server.origin}/small`);
    expect(driven).toEqual([next.firstPage.targetId]);
    expect(Object.fromEntries(ours.gate.methods)).toEqual({
      'Target.getTargets': 1,
      'Target.attachToTarget': 2,
      'Runtime.evaluate': 1,
      'Page.navigate': 1,
    });
  });

  test('later messages of the old client are ignored', async () => {
    const heard: string[] = [];
    await using ours = await behindGate(lab, {
      guard: (method) => {
        heard.push(method);
        return undefined;
      },
    });
    await using next = await otherSlot(lab, '/form');
    const session = await ours.attach();
    const retargeted = ours.gate.retarget(optionsFor(next));
    for (const expression of ['document.title = 1', 'document.title = 2']) {
      ours.client.socket.send(
        JSON.stringify({ id: 9, method: 'Runtime.evaluate', params: { expression }, sessionId: session }),
      );
    }
    await retargeted;
    expect(heard).toEqual(['Target.attachToTarget']);
    expect(ours.gate.methods.size).toBe(0);
    expect(await evaluate(ours.slot, 'document.title')).toBe('Small page');
  });
});

describe('the end', () => {
  test('a client that leaves while pages wait for it lets them run', async () => {
    await using ours = await behindGate(lab);
    const { client, slot } = ours;
    await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    const held = client.message(
      (message) => message.method === 'Target.attachedToTarget' && infoOf(message).targetId !== ours.pageId,
      'the popup',
    );
    // Without an opener: one with it shares its renderer, and runs as soon as the witness lets it.
    await evaluate(slot, `window.open('/form', '_blank', 'noopener'); 1`);
    expect((await held).params).toMatchObject({ waitingForDebugger: true });
    client.socket.terminate();
    const { targetId } = infoOf(await held);
    const page = await slot.witness.pageReady(targetId);
    await until(async () => {
      const { result } = await page.session.send('Runtime.evaluate', { expression: 'document.title' });
      return result.value === 'Form';
    }, 'the page to run');
  });

  test('a browser that is killed takes its client along, and closing the gate afterwards is quick', async () => {
    await using own = await openLab({ slots: 1 });
    const slot = await own.slot();
    const gate = await Gate.open(optionsFor(slot));
    await using client = await RawClient.connect(gate.wsAddress);
    await client.send('Browser.getVersion');
    process.kill(slot.host.browser.pid ?? 0, 'SIGKILL');
    expect(await client.closed).toEqual({ code: 1001, reason: 'the browser is gone' });
    // A later client gets the same reason.
    await using late = await RawClient.connect(gate.wsAddress);
    expect((await late.closed).reason).toBe('the browser is gone');
    await gate.close();
    await gate.close();
  });

  test('closing never hangs: not for a client that does not answer, nor for a browser that is frozen', async () => {
    await using own = await openLab({ slots: 1 });
    const slot = await own.slot();
    const { pid = 0 } = slot.host.browser;
    const deaf = await Gate.open(optionsFor(slot));
    const client = await RawClient.connect(deaf.wsAddress);
    await client.send('Browser.getVersion');
    client.socket.pause();
    await deaf.close();

    const frozen = await Gate.open(optionsFor(slot));
    await using waiting = await RawClient.connect(frozen.wsAddress);
    await waiting.send('Browser.getVersion');
    // Idle HTTP connections hold a server open as well.
    const idle = connect(frozen.port, '127.0.0.1');
    await once(idle, 'connect');
    process.kill(-pid, 'SIGSTOP');
    try {
      const unanswered = waiting.ask('Target.getTargets');
      unanswered.catch(() => {});
      await frozen.close();
      expect(await waiting.closed).toEqual({ code: 1012, reason: 'the gate is closed' });
    } finally {
      process.kill(-pid, 'SIGCONT');
      client.socket.terminate();
      idle.destroy();
    }
  });
});
