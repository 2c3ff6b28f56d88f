import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  behindGate,
  confined,
  type Info,
  infoOf,
  NO_CONTEXT,
  openGateLab,
  otherSlot,
  targetsOf,
} from '../support/gate-lab.ts';
import { evaluate, type Lab, show, until } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openGateLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

describe('the whole browser', () => {
  test('tracing, system facts, screens and command line do not exist, at the root and in a page', async () => {
    await using ours = await behindGate(lab);
    const session = await ours.attach();
    for (const method of [
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

  test('Browser.close is answered and ends the connection, and the browser lives', async () => {
    await using ours = await behindGate(lab);
    expect(await ours.client.send('Browser.close')).toEqual({});
    expect((await ours.client.closed).reason).toBe('the browser was closed by this connection');
    expect(await evaluate(ours.slot, 'document.title')).toBe('Small page');
    expect(ours.slot.host.isAlive).toBe(true);
  });

  test('pages go to the web only: not to the disk, not into the browser’s own pages, by no way of CDP', async () => {
    await using ours = await behindGate(lab);
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
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
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
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
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
    await using others = await behindGate(lab);
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
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
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
    await using ours = await behindGate(lab);
    await using theirs = await behindGate(lab);
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
    await using ours = await behindGate(lab);
    await using theirs = await otherSlot(lab);
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
    await using ours = await behindGate(lab);
    await using others = await behindGate(lab);
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
    await using ours = await behindGate(lab);
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
