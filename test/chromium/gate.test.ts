import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gate, type GateOptions, type Slot } from '../../src/chromium/index.ts';
import { evaluate, type Lab, openLab, show, until } from '../support/lab.ts';
import { RawClient, type RawMessage } from '../support/raw-client.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 4, extraFlags: ['--site-per-process'] });
});
afterAll(() => lab[Symbol.asyncDispose]());

interface Info {
  targetId: string;
  type: string;
  url: string;
  browserContextId: string;
}

function optionsFor(slot: Slot): GateOptions {
  const { connection, identity } = slot.host.browser;
  return { connection, contextId: slot.contextId, product: identity.product };
}

/** A slot at /small, a gate into it, and a client of that gate. */
async function behindGate(more: Partial<GateOptions> = {}) {
  const slot = await lab.slot();
  await show(slot, `${lab.server.origin}/small`);
  const gate = await Gate.open({ ...optionsFor(slot), ...more });
  const client = await RawClient.connect(gate.wsAddress);
  return {
    slot,
    gate,
    client,
    pageId: slot.firstPage.targetId,
    attach: () => client.attach(slot.firstPage.targetId),
    async [Symbol.asyncDispose](): Promise<void> {
      await client[Symbol.asyncDispose]();
      await gate.close();
      await slot.release();
    },
  };
}

/** Another slot in the same browser. */
async function otherSlot(path = '/form'): Promise<Slot> {
  const slot = await lab.slot();
  await show(slot, lab.server.origin + path);
  return slot;
}

function infoOf({ params = {} }: RawMessage): Info {
  return params['targetInfo'] as Info;
}

async function targetsOf(client: RawClient, sessionId?: string): Promise<Info[]> {
  return (await client.send('Target.getTargets', { filter: [{}] }, sessionId))['targetInfos'] as Info[];
}

const NO_TARGET = { code: -32602, message: 'No target with given id found' };
const NO_CONTEXT = { code: -32602, message: 'Failed to find browser context with given id' };
const confined = (method: string) => ({
  code: -32601,
  message: `'${method}' is not available: this connection is confined to one browser context`,
});

describe('foreign targets', () => {
  test('are in no list, with any filter', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      const infos = await targetsOf(ours.client, sessionId);
      expect(infos.map(({ type }) => type).sort()).toEqual(['page', 'tab']);
      expect(new Set(infos.map(({ browserContextId }) => browserContextId))).toEqual(new Set([ours.slot.contextId]));
    }
    expect(theirs.host).toBe(ours.slot.host);
    expect(await ours.client.send('Target.getBrowserContexts')).toEqual({
      browserContextIds: [],
      defaultBrowserContextId: ours.slot.contextId,
    });
  });

  test('are not announced, not when they come, move or go, and not in a page’s session either', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      await ours.client.send('Target.setDiscoverTargets', { discover: true, filter: [{}] }, sessionId);
    }
    {
      await using theirs = await otherSlot();
      await show(theirs, `${lab.server.origin}/list`);
    }
    // Something of ours, to know that all events before it have come.
    const { targetId } = await ours.client.send('Target.createTarget', { url: `${lab.server.origin}/network` });
    await ours.client.event('Target.targetInfoChanged', ({ targetInfo }) =>
      (targetInfo as Info).url.endsWith('/network'),
    );
    await ours.client.send('Target.closeTarget', { targetId });
    await ours.client.event('Target.targetDestroyed', (params) => params['targetId'] === targetId);
    const text = JSON.stringify(ours.client.events);
    expect(text).not.toContain('/form');
    expect(text).not.toContain('/list');
    const contexts = ours.client.events.flatMap(({ params }) =>
      params?.['targetInfo'] ? [(params['targetInfo'] as Info).browserContextId] : [],
    );
    expect(new Set(contexts)).toEqual(new Set([ours.slot.contextId]));
    const gone = ours.client.events.filter(({ method }) => method === 'Target.targetDestroyed');
    expect(gone.some(({ params }) => params?.['targetId'] === targetId)).toBe(true);
  });

  test('can’t be attached to, closed, brought to front or asked about', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const { targetId } = theirs.firstPage;
    const session = await ours.attach();
    for (const sessionId of [undefined, session]) {
      for (const method of [
        'Target.attachToTarget',
        'Target.closeTarget',
        'Target.activateTarget',
        'Target.getTargetInfo',
        'Browser.getWindowForTarget',
      ]) {
        const { error } = await ours.client.ask(method, { targetId, flatten: true }, sessionId);
        expect(error, method).toEqual(NO_TARGET);
      }
    }
    expect((await theirs.witness.observe()).url).toBe(`${lab.server.origin}/form`);
  });

  test('opened while the client attaches to everything and holds it, run on at once and unseen', async () => {
    await using ours = await behindGate();
    const hold = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    for (const filter of [undefined, [{ type: 'page' }], [{ type: 'tab' }], [{ type: 'page', exclude: true }, {}]]) {
      await ours.client.send('Target.setAutoAttach', { ...hold, ...(filter ? { filter } : {}) });
      await using theirs = await otherSlot();
      expect(await evaluate(theirs, `document.querySelector('h1').textContent`)).toBe('Sign up');
      // Also what they open by themselves.
      await evaluate(theirs, `window.open('/popup/window', '_blank', 'width=300,height=300') && 1`);
      await until(() => theirs.witness.pages.some(({ url }) => url.endsWith('/popup/window')), 'their popup to load');
      const popup = theirs.witness.pages.find(({ url }) => url.endsWith('/popup/window'));
      await popup?.ready;
      const { result } = (await popup?.session.send('Runtime.evaluate', { expression: '1 + 1' })) ?? {};
      expect(result?.value).toBe(2);
    }
    const attached = ours.client.events.filter(({ method }) => method === 'Target.attachedToTarget');
    expect(attached.length).toBeGreaterThan(0);
    for (const event of attached) expect(infoOf(event).browserContextId).toBe(ours.slot.contextId);
  });
});

describe('foreign sessions', () => {
  test('of the harness, of another client, and made-up ones are refused', async () => {
    await using ours = await behindGate();
    await using theirs = await behindGate();
    const their = await theirs.attach();
    for (const sessionId of [their, ours.slot.firstPage.session.id, theirs.slot.firstPage.session.id, 'F00', '']) {
      for (const method of ['Runtime.evaluate', 'Browser.getVersion', 'Page.navigate']) {
        const { error } = await ours.client.ask(method, { expression: '1', url: 'about:blank' }, sessionId);
        expect(error, `${method} in ${sessionId}`).toEqual({
          code: -32001,
          message: 'Session with given id not found.',
        });
      }
      const { error } = await ours.client.ask('Target.detachFromTarget', { sessionId });
      expect(error).toEqual({ code: -32602, message: 'No session with given id' });
    }
    expect(await theirs.client.evaluate(their, 'location.pathname')).toBe('/small');
  });

  test('no session travels inside other messages, where the rules could not see it', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    const message = 'Only flattened sessions pass the gate: set "flatten": true';
    for (const sessionId of [undefined, session]) {
      const attach = await ours.client.ask('Target.attachToTarget', { targetId: ours.pageId }, sessionId);
      expect(attach.error).toEqual({ code: -32000, message });
      const auto = { autoAttach: true, waitForDebuggerOnStart: false };
      expect((await ours.client.ask('Target.setAutoAttach', auto, sessionId)).error).toEqual({ code: -32000, message });
    }
  });
});

describe('the whole browser', () => {
  test('contexts, tracing, system facts, screens and command line do not exist, at the root and in a page', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    for (const method of [
      'Target.createBrowserContext',
      'Target.disposeBrowserContext',
      'Target.attachToBrowserTarget',
      'Target.exposeDevToolsProtocol',
      'Target.openDevTools',
      'Tracing.start',
      'SystemInfo.getProcessInfo',
      'Browser.getBrowserCommandLine',
      'Browser.crash',
      'Memory.getBrowserSamplingProfile',
      'Emulation.addScreen',
    ]) {
      for (const sessionId of [undefined, session]) {
        const { error } = await ours.client.ask(method, { browserContextId: ours.slot.contextId }, sessionId);
        expect(error, method).toEqual(confined(method));
      }
    }
    expect(ours.gate.refused.at(-1)).toEqual({
      method: 'Emulation.addScreen',
      reason: confined('Emulation.addScreen').message,
    });
  });

  test('Browser.close is answered, and the browser lives', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    expect(await ours.client.send('Browser.close')).toEqual({});
    expect(await ours.client.send('Browser.close', {}, session)).toEqual({});
    expect(await ours.client.evaluate(session, 'document.title')).toBe('Small page');
    expect(ours.slot.host.isAlive).toBe(true);
  });

  test('pages go to the web only: not to the disk, not into the browser’s own pages, by no way of CDP', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    const message = 'Cannot navigate there: only web pages (http, https, data, blob, about:blank) can be opened';
    for (const url of ['file:///etc/passwd', 'view-source:file:///etc/passwd', 'chrome://process-internals']) {
      expect((await ours.client.ask('Page.navigate', { url }, session)).error).toEqual({ code: -32000, message });
      expect((await ours.client.ask('Target.createTarget', { url })).error).toEqual({ code: -32000, message });
      // A page itself, or a world with all rights that CDP makes in it, can't go there either: that is Chromium's own rule.
      const frameId = ours.pageId;
      const world = await ours.client.send('Page.createIsolatedWorld', { frameId, grantUniveralAccess: true }, session);
      const expression = `location.href = ${JSON.stringify(url)}; window.open(${JSON.stringify(url)}); 1`;
      for (const contextId of [undefined, world['executionContextId']]) {
        await ours.client.send('Runtime.evaluate', { expression, ...(contextId ? { contextId } : {}) }, session);
      }
      // Nor a request that is turned round on its way.
      await ours.client.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }, session);
      const turns = [
        (requestId: unknown) => ours.client.send('Fetch.continueRequest', { requestId, url }, session),
        (requestId: unknown) => {
          const redirect = { responseCode: 302, responseHeaders: [{ name: 'location', value: url }] };
          return ours.client.send('Fetch.fulfillRequest', { requestId, ...redirect }, session);
        },
      ];
      for (const turn of turns) {
        const paused = ours.client.message(({ method }) => method === 'Fetch.requestPaused', 'a paused request');
        const going = ours.client.send('Page.navigate', { url: `${lab.server.origin}/small` }, session);
        await turn((await paused).params?.['requestId']);
        expect(await going).toMatchObject({ errorText: /ERR_(UNKNOWN_URL_SCHEME|UNSAFE_REDIRECT)/ });
      }
      await ours.client.send('Fetch.disable', {}, session);
      await ours.client.send('Page.navigate', { url: `${lab.server.origin}/small` }, session);
    }
    const urls = (await targetsOf(ours.client)).map(({ url }) => url);
    expect(urls.filter((url) => !/^(http:|about:blank|chrome-error:|$)/.test(url))).toEqual([]);
    expect(ours.slot.host.isAlive).toBe(true);
  });
});

describe('the context is added', () => {
  test('a new tab lands in it; another context is refused', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const { targetId } = await ours.client.send('Target.createTarget', { url: 'about:blank' });
    const { targetInfo } = await ours.client.send('Target.getTargetInfo', { targetId });
    expect((targetInfo as Info).browserContextId).toBe(ours.slot.contextId);
    await until(() => ours.slot.witness.pages.length === 2, 'the witness to see the tab');
    expect(theirs.witness.pages).toHaveLength(1);
    const foreign = { url: 'about:blank', browserContextId: theirs.contextId };
    expect((await ours.client.ask('Target.createTarget', foreign)).error).toEqual(NO_CONTEXT);
    expect(await ours.client.evaluate(await ours.client.attach(String(targetId)), 'location.href')).toBe('about:blank');
  });

  test('cookies are its own, at the root and in a page', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const session = await ours.attach();
    await evaluate(theirs, `document.cookie = 'whose=theirs'`);
    await evaluate(ours.slot, `document.cookie = 'whose=ours'`);
    const names = async (method: string, sessionId?: string): Promise<string[]> => {
      const { cookies } = await ours.client.send(method, {}, sessionId);
      return (cookies as { value: string }[]).map(({ value }) => value);
    };
    // A page's cookie is on its way to the browser for a moment.
    await until(async () => (await names('Storage.getCookies')).length > 0, 'the cookie to arrive');
    expect(await names('Storage.getCookies')).toEqual(['ours']);
    expect(await names('Storage.getCookies', session)).toEqual(['ours']);
    expect(await names('Network.getAllCookies', session)).toEqual(['ours']);
    for (const sessionId of [undefined, session]) {
      const asked = await ours.client.ask('Storage.getCookies', { browserContextId: theirs.contextId }, sessionId);
      expect(asked.error).toEqual(NO_CONTEXT);
    }
    await using others = await behindGate();
    const cookie = { name: 'from', value: 'a page', url: `${lab.server.origin}/` };
    await ours.client.send('Storage.setCookies', { cookies: [cookie] }, session);
    expect((await names('Storage.getCookies')).sort()).toEqual(['a page', 'ours']);
    expect((await others.client.send('Storage.getCookies', {}, await others.attach()))['cookies']).toEqual([]);
    await ours.client.send('Storage.clearCookies', {}, session);
    await ours.client.send('Network.clearBrowserCookies', {}, session);
    expect(await evaluate(theirs, 'document.cookie')).toBe('whose=theirs');
    expect(await evaluate(ours.slot, 'document.cookie')).toBe('');
  });

  test('permissions are granted to it alone', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const secure = `http://127.0.0.1:${lab.server.port}/small`;
    await Promise.all([show(ours.slot, secure), show(theirs, secure)]);
    const state = `navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`;
    await ours.client.send('Browser.grantPermissions', { permissions: ['geolocation'] });
    expect(await evaluate(ours.slot, state)).toBe('granted');
    expect(await evaluate(theirs, state)).not.toBe('granted');
    await ours.client.send('Browser.resetPermissions', {}, await ours.attach());
    expect(await evaluate(ours.slot, state)).not.toBe('granted');
    const { error } = await ours.client.ask('Browser.grantPermissions', {
      permissions: ['geolocation'],
      browserContextId: theirs.contextId,
    });
    expect(error).toEqual(NO_CONTEXT);
  });

  test('downloads of other contexts are not reported', async () => {
    await using ours = await behindGate();
    await using theirs = await behindGate();
    const download = { behavior: 'allowAndName', downloadPath: lab.downloads, eventsEnabled: true };
    for (const { client } of [ours, theirs]) await client.send('Browser.setDownloadBehavior', download);
    await show(theirs.slot, `${lab.server.origin}/download`);
    await evaluate(theirs.slot, `document.querySelector('#download-link').click()`);
    await theirs.client.event('Browser.downloadProgress', ({ state }) => state === 'completed');
    // Nor are theirs changed by ours, which refuses downloads from now on.
    await ours.client.send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true });
    await evaluate(theirs.slot, `document.querySelector('#download-blob').click()`);
    const { params } = await theirs.client.event(
      'Browser.downloadWillBegin',
      ({ suggestedFilename }) => suggestedFilename === 'summit.csv',
    );
    await theirs.client.event(
      'Browser.downloadProgress',
      ({ state, guid }) => state === 'completed' && guid === params?.['guid'],
    );
    await ours.client.send('Browser.getVersion');
    expect(ours.client.events.filter(({ method }) => method?.startsWith('Browser.'))).toEqual([]);
  });

  test('service workers of other contexts are not reported in a page’s session', async () => {
    await using ours = await behindGate();
    await using theirs = await otherSlot();
    const secure = `http://127.0.0.1:${lab.server.port}/storage?dirty=1`;
    await show(theirs, secure);
    await until(() => evaluate(theirs, `document.body.dataset.ready === '1'`), 'their service worker');
    const session = await ours.attach();
    await ours.client.send('ServiceWorker.enable', {}, session);
    await ours.client.send('Runtime.evaluate', { expression: '1' }, session);
    const reported = ours.client.events.filter(({ method }) => method?.startsWith('ServiceWorker.'));
    expect(JSON.stringify(reported)).not.toContain('/storage');
  });
});

describe('what our pages open', () => {
  test('popups and tabs are announced, attached and stay inside', async () => {
    await using ours = await behindGate();
    await using others = await behindGate();
    const hold = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    for (const { client } of [ours, others]) {
      await client.send('Target.setDiscoverTargets', { discover: true });
      await client.send('Target.setAutoAttach', hold);
    }
    const { params } = await ours.client.event('Target.attachedToTarget');
    await ours.client.send('Runtime.runIfWaitingForDebugger', {}, String(params?.['sessionId']));
    await show(ours.slot, `${lab.server.origin}/popup`);
    for (const how of [
      `window.open('/popup/window', 'w', 'width=300,height=200')`,
      `document.querySelector('#open-tab').click()`,
    ]) {
      const attached = ours.client.message(
        (message) => message.method === 'Target.attachedToTarget' && infoOf(message).targetId !== ours.pageId,
        'the popup',
      );
      await evaluate(ours.slot, `${how}; 1`);
      const popup = (await attached).params ?? {};
      expect(popup).toMatchObject({ waitingForDebugger: true, targetInfo: { browserContextId: ours.slot.contextId } });
      const session = String(popup['sessionId']);
      await ours.client.send('Runtime.runIfWaitingForDebugger', {}, session);
      await until(
        async () => (await ours.client.evaluate(session, 'location.pathname')) === '/popup/window',
        'its page',
      );
      const { targetId } = popup['targetInfo'] as Info;
      await ours.client.event('Target.targetCreated', ({ targetInfo }) => (targetInfo as Info).targetId === targetId);
      await ours.client.send('Target.activateTarget', { targetId });
      await ours.client.send('Target.closeTarget', { targetId });
      await ours.client.event('Target.detachedFromTarget', ({ sessionId }) => sessionId === session);
      await ours.client.event('Target.targetDestroyed', (gone) => gone['targetId'] === targetId);
    }
    await others.client.send('Browser.getVersion');
    expect(JSON.stringify(others.client.events)).not.toContain(ours.slot.contextId);
  });

  test('frames of other processes, workers and worklets are attached in their page’s session', async () => {
    await using ours = await behindGate();
    const session = await ours.attach();
    const auto = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    await ours.client.send('Target.setAutoAttach', auto, session);
    await show(ours.slot, `http://127.0.0.1:${lab.server.port}/small`);
    const child = async (type: string): Promise<string> => {
      const { params } = await ours.client.event(
        'Target.attachedToTarget',
        ({ targetInfo }, parent) => parent === session && (targetInfo as Info).type === type,
      );
      const id = String(params?.['sessionId']);
      await ours.client.send('Runtime.runIfWaitingForDebugger', {}, id);
      return id;
    };
    await evaluate(
      ours.slot,
      `{ const frame = document.createElement('iframe'); frame.src = '${lab.server.elsewhereOrigin}/frame/cross-site'; document.body.append(frame); } 1`,
    );
    const frame = await child('iframe');
    await until(async () => (await ours.client.evaluate(frame, 'document.readyState')) === 'complete', 'the frame');
    expect(await ours.client.evaluate(frame, 'document.title')).toBe('Cross site frame');
    await evaluate(ours.slot, `new Worker(URL.createObjectURL(new Blob(['self.mine = 7']))) && 1`);
    const worker = await child('worker');
    await until(async () => (await ours.client.evaluate(worker, 'self.mine')) === 7, 'the worker to run');
    await evaluate(
      ours.slot,
      `window.audio = new AudioContext(); window.ready = audio.audioWorklet.addModule('data:text/javascript,globalThis.mine=8'); 1`,
    );
    const worklet = await child('worklet');
    await evaluate(ours.slot, 'window.ready.then(() => 1)');
    expect(await ours.client.evaluate(worklet, 'globalThis.mine')).toBe(8);
  });
});

describe('retargeting', () => {
  test('the old client is disconnected, the new one sees the new context only, and old ids are refused', async () => {
    await using ours = await behindGate();
    await using next = await otherSlot('/form');
    const oldSession = await ours.attach();
    const driven: string[] = [];
    await ours.gate.retarget({ ...optionsFor(next), onDrive: (targetId) => driven.push(targetId) });
    expect(await ours.client.closed).toEqual({ code: 1012, reason: 'the gate leads to another context now' });
    expect(ours.gate.methods.size).toBe(0);

    await using client = await RawClient.connect(ours.gate.wsAddress);
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
    await using ours = await behindGate({
      guard: (method) => {
        heard.push(method);
        return undefined;
      },
    });
    await using next = await otherSlot('/form');
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

describe('two clients at once on one browser', () => {
  test('never see each other, whatever both do', async () => {
    await using one = await behindGate();
    await using two = await behindGate();
    expect(one.slot.host).toBe(two.slot.host);
    const both = [one, two];
    await Promise.all(
      both.map(async ({ client, slot }, n) => {
        await client.send('Target.setDiscoverTargets', { discover: true });
        await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
        client.socket.on('message', (data) => {
          const message = JSON.parse(String(data)) as { method?: string; params?: { sessionId?: string } };
          if (message.method !== 'Target.attachedToTarget') return;
          const { sessionId } = message.params ?? {};
          client.socket.send(JSON.stringify({ id: 1_000_000, method: 'Runtime.runIfWaitingForDebugger', sessionId }));
        });
        for (let i = 0; i < 5; i++) {
          const { targetId } = await client.send('Target.createTarget', { url: `${lab.server.origin}/nodes?n=6${n}` });
          const session = await client.attach(String(targetId));
          await until(async () => (await client.evaluate(session, 'document.title')) === `6${n} elements`, 'its page');
          await client.send('Target.closeTarget', { targetId });
        }
        const seen = client.events.flatMap(({ params }) =>
          params?.['targetInfo'] ? [params['targetInfo'] as Info] : [],
        );
        expect(new Set(seen.map(({ browserContextId }) => browserContextId))).toEqual(new Set([slot.contextId]));
      }),
    );
  });
});

describe('the address', () => {
  test('one client; another one gets 409 until the first has left', async () => {
    await using ours = await behindGate();
    expect(await RawClient.refusal(ours.gate.wsAddress)).toBe(409);
    expect(await ours.client.send('Browser.getVersion')).toHaveProperty('product');
    await ours.client.close();
    await until(async () => (await RawClient.refusal(ours.gate.wsAddress)) !== 409, 'the place to be free');
  });

  test('a wrong secret gets 404, an Origin or a foreign Host 403', async () => {
    await using ours = await behindGate();
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
    await using ours = await behindGate();
    const { gate, slot } = ours;
    const version = await fetch(`${gate.httpAddress}/json/version/`);
    expect(await version.json()).toEqual({
      Browser: slot.host.browser.identity.product,
      'Protocol-Version': '1.3',
      webSocketDebuggerUrl: gate.wsAddress,
    });
    const bare = `http://127.0.0.1:${gate.port}`;
    for (const address of [
      `${bare}/json/version`,
      `${gate.httpAddress}/json/list`,
      `${gate.httpAddress}/`,
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
    await using ours = await behindGate();
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
    await using ours = await behindGate();
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
    await using ours = await behindGate();
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
    await using ours = await behindGate({
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
    await using ours = await behindGate();
    for (let i = 0; i < 1_100; i++) ours.client.socket.send(JSON.stringify({ id: i + 10, method: `Made.up${i}` }));
    await ours.client.send('Browser.getVersion');
    expect(ours.gate.methods.size).toBe(1_000);
    expect(ours.gate.refused).toHaveLength(200);
    expect(ours.gate.refused.at(-1)?.method).toBe('Made.up1099');
  });
});

describe('the end', () => {
  test('a client that leaves while pages wait for it lets them run', async () => {
    await using ours = await behindGate();
    const { client, slot } = ours;
    await client.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    const held = client.message(
      (message) => message.method === 'Target.attachedToTarget' && infoOf(message).targetId !== ours.pageId,
      'the popup',
    );
    // Without an opener: one with it shares its renderer, and runs as soon as anybody (the witness) lets it.
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
