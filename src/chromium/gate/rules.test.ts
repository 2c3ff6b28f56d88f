import { describe, expect, test } from 'vitest';
import { checkCommand, type GateView, isDriving } from './rules.ts';
import { isWebUrl } from './web-url.ts';

const view: GateView = {
  contextId: 'OURS',
  ownContexts: new Set(['MADE']),
  contextOf: (id) => (id === 'session-in-made' ? 'MADE' : 'OURS'),
  hasTarget: (id) => id === 'our-page',
  browserTarget: { targetId: 'the-browser' },
  hasSession: (id) => id === 'our-session' || id === 'session-in-made',
  hasWindow: (id) => id === 1,
  extraDomains: new Set(),
};

const atRoot = (method: string, params: Record<string, unknown> = {}) =>
  checkCommand({ method, params, sessionId: undefined }, view);
const inPage = (method: string, params: Record<string, unknown> = {}) =>
  checkCommand({ method, params, sessionId: 'our-session' }, view);
const confined = (method: string) => ({
  do: 'refuse',
  code: -32601,
  message: `'${method}' is not available: this connection is confined to the contexts of one episode`,
});

describe('what does not exist behind the gate', () => {
  const methods = [
    'Target.exposeDevToolsProtocol',
    'Target.sendMessageToTarget',
    'Target.setRemoteLocations',
    'Target.autoAttachRelated',
    'Target.openDevTools',
    'Browser.crash',
    'Browser.crashGpuProcess',
    'Browser.getBrowserCommandLine',
    'Browser.executeBrowserCommand',
    'Browser.getHistograms',
    'Browser.addPrivacySandboxEnrollmentOverride',
    'Tracing.start',
    'SystemInfo.getProcessInfo',
    'SystemInfo.getInfo',
    'Memory.prepareForLeakDetection',
    'Extensions.loadUnpacked',
    'Tethering.bind',
    'Emulation.addScreen',
    'Emulation.removeScreen',
    'Emulation.updateScreen',
    'Emulation.setPrimaryScreen',
    'Made.up',
    'nonsense',
    '',
    '.',
    '__proto__',
    'constructor',
    'toString.call',
  ];
  test.each(methods)('%s: refused at the root and in a page', (method) => {
    expect(atRoot(method)).toEqual(confined(method));
    expect(inPage(method)).toEqual(confined(method));
  });

  test.each(['Page.navigate', 'Runtime.evaluate', 'IO.read', 'Storage.clearDataForOrigin', 'Network.getAllCookies'])(
    '%s: only in a page',
    (method) => expect(atRoot(method, { url: 'about:blank' })).toEqual(confined(method)),
  );

  test('a domain that the owner allows passes, at the root and in a page', () => {
    const open = { ...view, extraDomains: new Set(['Tracing']) };
    for (const sessionId of [undefined, 'our-session']) {
      expect(checkCommand({ method: 'Tracing.start', params: {}, sessionId }, open)).toEqual({
        do: 'pass',
        params: {},
      });
      expect(checkCommand({ method: 'SystemInfo.getInfo', params: {}, sessionId }, open)).toMatchObject({
        do: 'refuse',
      });
    }
  });
});

describe('sessions and targets of others', () => {
  test('a foreign session is refused, whatever is said in it', () => {
    for (const method of ['Runtime.evaluate', 'Browser.getVersion', 'Target.getTargets', 'Browser.close']) {
      expect(checkCommand({ method, params: {}, sessionId: 'their-session' }, view)).toEqual({
        do: 'refuse',
        code: -32001,
        message: 'Session with given id not found.',
      });
    }
  });

  test.each([
    'Target.attachToTarget',
    'Target.closeTarget',
    'Target.activateTarget',
    'Target.getTargetInfo',
    'Browser.getWindowForTarget',
  ])('%s: a foreign target is refused as if it did not exist; ours passes', (method) => {
    const params = { targetId: 'their-page', flatten: true };
    const none = { do: 'refuse', code: -32602, message: 'No target with given id found' };
    expect(atRoot(method, params)).toEqual(none);
    expect(inPage(method, params)).toEqual(none);
    expect(atRoot(method, { ...params, targetId: 5 })).toEqual(none);
    expect(atRoot(method, { ...params, targetId: 'our-page' })).toMatchObject({ do: 'pass' });
  });

  test('attaching needs a target and a flat session', () => {
    const flat = 'Only flattened sessions pass the gate: set "flatten": true';
    expect(atRoot('Target.attachToTarget', { flatten: true })).toMatchObject({ do: 'refuse' });
    for (const flatten of [undefined, false, 1, 'true']) {
      expect(atRoot('Target.attachToTarget', { targetId: 'our-page', flatten })).toMatchObject({ message: flat });
      expect(inPage('Target.setAutoAttach', { autoAttach: true, flatten })).toMatchObject({ message: flat });
      expect(atRoot('Target.setAutoAttach', { autoAttach: false, flatten })).toMatchObject({ do: 'pass' });
    }
  });

  test('only own sessions are detached, only own windows moved', () => {
    expect(atRoot('Target.detachFromTarget', { sessionId: 'our-session' })).toMatchObject({ do: 'pass' });
    for (const sessionId of ['their-session', undefined, 7]) {
      expect(atRoot('Target.detachFromTarget', { sessionId, targetId: 'their-page' })).toMatchObject({ do: 'refuse' });
    }
    for (const method of ['Browser.getWindowBounds', 'Browser.setWindowBounds', 'Browser.setContentsSize']) {
      expect(atRoot(method, { windowId: 1 })).toMatchObject({ do: 'pass' });
      expect(atRoot(method, { windowId: 2 })).toMatchObject({ do: 'refuse', message: 'Browser window not found' });
      expect(atRoot(method, {})).toMatchObject({ do: 'refuse' });
    }
  });
});

describe('one context, shown as the whole browser', () => {
  test.each([
    'Target.createTarget',
    'Browser.grantPermissions',
    'Browser.setPermission',
    'Browser.resetPermissions',
    'Browser.setDownloadBehavior',
    'Browser.cancelDownload',
    'Storage.getCookies',
    'Storage.setCookies',
    'Storage.clearCookies',
  ])('%s: the context is added; another one is refused', (method) => {
    const params = { url: 'about:blank' };
    expect(atRoot(method, params)).toMatchObject({ do: 'pass', params: { ...params, browserContextId: 'OURS' } });
    expect(atRoot(method, { ...params, browserContextId: 'OURS' })).toMatchObject({ do: 'pass' });
    for (const browserContextId of ['THEIRS', '', null]) {
      for (const ask of [atRoot, inPage]) {
        expect(ask(method, { ...params, browserContextId })).toEqual({
          do: 'refuse',
          code: -32602,
          message: 'Failed to find browser context with given id',
        });
      }
    }
  });

  test('any storage command of a page stays in the context', () => {
    expect(inPage('Storage.clearDataForOrigin', { origin: '*' })).toMatchObject({ do: 'pass' });
    expect(inPage('Storage.clearDataForOrigin', { origin: '*', browserContextId: 'THEIRS' })).toMatchObject({
      do: 'refuse',
    });
  });

  test('only its own contexts are counted, and closing the browser ends the connection alone', () => {
    expect(atRoot('Target.getBrowserContexts')).toEqual({
      do: 'answer',
      result: { browserContextIds: ['MADE'], defaultBrowserContextId: 'OURS' },
    });
    for (const ask of [atRoot, inPage]) expect(ask('Browser.close')).toEqual({ do: 'end', result: {} });
  });

  test('contexts are made and disposed of at browser level; only those that the server has made, and without a way past the harness', () => {
    expect(atRoot('Target.createBrowserContext')).toEqual({ do: 'make_context', disposeOnDetach: false });
    expect(atRoot('Target.createBrowserContext', { disposeOnDetach: true })).toEqual({
      do: 'make_context',
      disposeOnDetach: true,
    });
    for (const setting of ['proxyServer', 'proxyBypassList', 'originsWithUniversalNetworkAccess']) {
      expect(atRoot('Target.createBrowserContext', { [setting]: 'x' })).toEqual({
        do: 'refuse',
        code: -32000,
        message: `A context of this browser cannot have its own "${setting}"`,
      });
    }
    expect(atRoot('Target.disposeBrowserContext', { browserContextId: 'MADE' })).toEqual({
      do: 'dispose_context',
      contextId: 'MADE',
    });
    for (const browserContextId of ['OURS', 'THEIRS', undefined]) {
      expect(atRoot('Target.disposeBrowserContext', { browserContextId })).toMatchObject({
        do: 'refuse',
        code: -32602,
      });
    }
    for (const method of ['Target.createBrowserContext', 'Target.disposeBrowserContext']) {
      expect(inPage(method, { browserContextId: 'MADE' })).toEqual(confined(method));
    }
  });

  test('what is done in a made context stays there, also from a session in it', () => {
    const made = { browserContextId: 'MADE' };
    expect(atRoot('Target.createTarget', { url: 'about:blank', ...made })).toMatchObject({ params: made });
    expect(inPage('Storage.getCookies')).toMatchObject({ params: { browserContextId: 'OURS' } });
    const inMade = { method: 'Storage.getCookies', params: {}, sessionId: 'session-in-made' };
    expect(checkCommand(inMade, view)).toMatchObject({ params: made, atRoot: true });
  });

  test('the browser itself is attached to at browser level only, and is no page', () => {
    const browser = { targetId: 'the-browser', flatten: true };
    for (const method of ['Target.attachToTarget', 'Target.attachToBrowserTarget']) {
      expect(atRoot(method, browser)).toMatchObject({ do: 'pass', result: 'learn_browser_session' });
      expect(inPage(method, browser)).toEqual(confined(method));
    }
    expect(atRoot('Target.getTargetInfo', browser)).toEqual({
      do: 'answer',
      result: { targetInfo: { targetId: 'the-browser' } },
    });
    for (const method of ['Target.closeTarget', 'Target.activateTarget', 'Browser.getWindowForTarget'])
      expect(atRoot(method, browser)).toMatchObject({ do: 'refuse' });
  });

  test('lists of targets are filtered, and what answers name is learnt', () => {
    for (const ask of [atRoot, inPage]) {
      expect(ask('Target.getTargets')).toMatchObject({ result: 'filter_targets' });
      expect(ask('Target.createTarget', { url: '' })).toMatchObject({ result: 'learn_target' });
      expect(ask('Browser.getWindowForTarget')).toMatchObject({ result: 'learn_window' });
      const attach = { targetId: 'our-page', flatten: true };
      expect(ask('Target.attachToTarget', attach)).toMatchObject({ result: 'learn_session' });
    }
  });
});

describe('where pages may be sent', () => {
  const web = ['http://a/', 'https://a/b?c#d', 'data:text/html,x', 'blob:http://a/1', 'about:blank', 'about:blank#x'];
  const other = [
    'file:///etc/passwd',
    ' FILE:///etc/passwd',
    'fi\tle:///etc/passwd',
    'view-source:file:///etc/passwd',
    'view-source:http://a/',
    'chrome://version',
    'chrome://inducebrowsercrashforrealz',
    'about:version',
    'about:gpucrash',
    'devtools://devtools/bundled/inspector.html',
    'chrome-extension://abc/page.html',
    'filesystem:http://a/temporary/x',
    'javascript:1',
    'no url',
  ];

  test('to the web, and not to the disk or into the browser itself', () => {
    expect(web.filter((url) => !isWebUrl(url))).toEqual([]);
    expect(other.filter((url) => isWebUrl(url))).toEqual([]);
    const refused = {
      do: 'refuse',
      code: -32000,
      message: 'Cannot navigate there: only web pages (http, https, data, blob, about:blank) can be opened',
    };
    for (const url of other) {
      expect(inPage('Page.navigate', { url }), url).toEqual(refused);
      for (const ask of [atRoot, inPage]) expect(ask('Target.createTarget', { url }), url).toEqual(refused);
    }
    for (const url of web) {
      expect(inPage('Page.navigate', { url }), url).toMatchObject({ do: 'pass' });
      expect(atRoot('Target.createTarget', { url }), url).toMatchObject({ do: 'pass' });
    }
    expect(inPage('Page.navigate', { url: { toString: () => 'file:///' } })).toEqual(refused);
  });
});

test('commands that act on a page are distinguished from commands that only observe it', () => {
  for (const method of ['Input.dispatchMouseEvent', 'Input.insertText', 'Page.navigate', 'DOM.setFileInputFiles']) {
    expect(isDriving(method), method).toBe(true);
  }
  for (const method of ['Runtime.evaluate', 'Page.enable', 'Page.captureScreenshot', 'Target.setAutoAttach']) {
    expect(isDriving(method), method).toBe(false);
  }
});
