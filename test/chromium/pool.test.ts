import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../../src/chromium/cdp/connection.ts';
import { Browser, findBrowser, processesWith, type Slot } from '../../src/chromium/index.ts';
import { evaluate, type Lab, openLab, show, until } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 3 });
});
afterAll(() => lab[Symbol.asyncDispose]());

/** Each kind of the proof, how to dirty it, and what the proof then says. */
const KINDS: { kind: string; dirty: (slot: Slot) => Promise<unknown>; says: RegExp }[] = [
  {
    kind: 'cookies',
    dirty: (slot) =>
      slot.host.browser.connection.root.send('Storage.setCookies', {
        browserContextId: slot.contextId,
        cookies: [{ name: 'a', value: 'b', domain: 'x.test' }],
      }),
    says: /^cookies: a \(x\.test\)$/,
  },
  {
    kind: 'local storage',
    dirty: (slot) => evaluate(slot, `localStorage.setItem('a', 'b')`),
    says: /^1 entries in local storage of http:\/\/localhost:\d+$/,
  },
  {
    kind: 'session storage',
    dirty: (slot) => evaluate(slot, `sessionStorage.setItem('a', 'b')`),
    says: /^1 entries in session storage$/,
  },
  {
    kind: 'IndexedDB',
    dirty: (slot) => evaluate(slot, `new Promise((done) => { indexedDB.open('db').onsuccess = () => done(1) })`),
    says: /^1 databases \(IndexedDB\) of http:\/\/localhost:\d+$/,
  },
  {
    kind: 'cache storage',
    dirty: (slot) => evaluate(slot, `caches.open('c').then(() => 1)`),
    says: /^1 caches of http:\/\/localhost:\d+$/,
  },
  {
    kind: 'service workers',
    dirty: (slot) => evaluate(slot, `navigator.serviceWorker.register('/storage/sw.js').then(() => 1)`),
    says: /^1 service workers registered at http:\/\/localhost:\d+$/,
  },
  {
    kind: 'tabs',
    dirty: (slot) =>
      slot.host.browser.connection.root.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId: slot.contextId,
      }),
    says: /^2 tabs instead of one$/,
  },
  { kind: 'the tab', dirty: async () => {}, says: /^a tab at http:\/\/localhost:\d+\/small instead of about:blank$/ },
  { kind: 'window.name', dirty: (slot) => evaluate(slot, `window.name = 'mine'`), says: /^window\.name is "mine"$/ },
  {
    kind: 'permissions',
    dirty: (slot) =>
      slot.host.browser.connection.root.send('Browser.grantPermissions', {
        browserContextId: slot.contextId,
        permissions: ['geolocation'],
      }),
    says: /^permission geolocation is granted to http:\/\/localhost:\d+$/,
  },
  { kind: 'the clipboard', dirty: (slot) => evaluate(slot, COPY), says: /^the clipboard holds text\/plain$/ },
];
/** As a page does it on a click, without the clipboard permission. */
const COPY = `(() => { const area = document.createElement('textarea'); area.value = 'secret'; document.body.append(area); area.select(); return document.execCommand('copy'); })()`;

describe('the proof', () => {
  test.each(KINDS)('finds $kind', async ({ dirty, says }) => {
    await using slot = await lab.slot();
    await show(slot, `${lab.secureOrigin}/small`);
    const before = (await slot.prove()).findings;
    await dirty(slot);
    const { clean, findings, fingerprint } = await slot.prove();
    expect(clean).toBe(false);
    expect(
      findings.filter((finding) => says.test(finding)),
      JSON.stringify(fingerprint),
    ).toHaveLength(1);
    if (says.source.startsWith('^a tab')) return;
    expect(
      before.some((finding) => says.test(finding)),
      'the finding was there before',
    ).toBe(false);
  });

  test('of a new slot is clean, and so it is after an episode that dirtied everything', async () => {
    const { slot: first, proof } = await lab.pool.acquire();
    expect(proof).toMatchObject({ clean: true, findings: [] });
    await show(first, `${lab.secureOrigin}/storage?dirty=1`);
    await until(() => evaluate<boolean>(first, `document.body.dataset.ready === '1'`), 'the page to be dirty');
    expect((await first.prove()).findings.length).toBeGreaterThan(7);
    await first.release();
    await using second = await lab.slot();
    const deep = await second.prove([lab.secureOrigin, lab.server.origin]);
    expect(deep).toMatchObject({ clean: true, findings: [] });
    expect(deep.fingerprint.origins).toHaveLength(2);
  });

  test('refuses a dirty slot: another is made, and the pool says why', async () => {
    await using own = await openLab({ slots: 1 });
    await own.pool.warm(1);
    const [browser] = own.pool.browsers;
    const root = browser?.connection.root;
    const { targetInfos } = (await root?.send('Target.getTargets', {})) ?? { targetInfos: [] };
    // The spare's tab is the only blank one: the keeper's page is elsewhere.
    const spare = targetInfos.find(({ url }) => url === 'about:blank');
    await root?.send('Storage.setCookies', {
      browserContextId: spare?.browserContextId ?? '',
      cookies: [{ name: 'left', value: '1', domain: 'x.test' }],
    });
    const { slot, proof } = await own.pool.acquire();
    expect(own.events).toContainEqual({ type: 'slot_refused', findings: ['cookies: left (x.test)'] });
    expect(slot.contextId).not.toBe(spare?.browserContextId);
    expect(proof.clean).toBe(true);
  });

  test('gives up with env_error when no clean slot can be had', async () => {
    const found = findBrowser();
    if (!found) throw new Error('no browser');
    await using own = await openLab({
      slots: 1,
      pool: {
        start: async () => {
          const browser = await Browser.launch({ browser: found });
          const { root } = browser.connection;
          // As a browser would do whose contexts share their cookies.
          root.on('Target.attachedToTarget', ({ targetInfo: { browserContextId } }) => {
            const cookies = [{ name: 'leak', value: '1', domain: 'x.test' }];
            if (browserContextId) void root.send('Storage.setCookies', { browserContextId, cookies }).catch(() => {});
          });
          return browser;
        },
      },
    });
    await expect(own.pool.acquire()).rejects.toMatchObject({
      code: 'env_error',
      message: 'Could not get a clean browser slot. The last one was refused: cookies: leak (x.test).',
    });
    expect(own.events.filter(({ type }) => type === 'slot_refused')).toHaveLength(3);
    expect(own.pool.inUse).toBe(0);
  });
});

describe('the clipboard, which a browser has only one of', () => {
  test('is a new slot’s own and empty, and what a running slot has copied stays', async () => {
    await using first = await lab.slot();
    await show(first, `${lab.server.origin}/small`);
    await evaluate(first, COPY);
    const { slot: second, proof } = await lab.pool.acquire();
    await using _ = second;
    expect(proof).toMatchObject({ clean: true, fingerprint: { clipboard: [] } });
    expect((await first.prove()).fingerprint.clipboard).toEqual(['text/plain']);
  });

  test('does not refuse a new slot while another slot keeps writing to it', async () => {
    await using own = await openLab({ slots: 2 });
    await using first = await own.slot();
    await show(first, `${own.secureOrigin}/small`);
    const { session } = first.firstPage;
    await Promise.all([
      session.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      first.host.browser.connection.root.send('Browser.grantPermissions', {
        browserContextId: first.contextId,
        permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'],
      }),
    ]);
    await evaluate(
      first,
      `(async () => { await navigator.clipboard.writeText('0'); (async () => { for (let n = 1; ; n++) await navigator.clipboard.writeText(String(n)); })(); })()`,
    );
    for (let n = 0; n < 5; n++) {
      await using second = await own.slot();
      expect(second.clipboard.kinds).toEqual([]);
    }
    expect(own.events.filter(({ type }) => type === 'slot_refused')).toEqual([]);
    expect(first.clipboard.kinds).toEqual(['text/plain']);
  });
});

/** Ends the renderer of a page. */
async function crash(connection: Connection, url: string): Promise<void> {
  const { root } = connection;
  const { targetInfos } = await root.send('Target.getTargets', {});
  const targetId = targetInfos.find((info) => info.url.startsWith(url))?.targetId ?? '';
  const crashed = root.next('Target.targetCrashed', (event) => event.targetId === targetId);
  // Over a session of its own: what is attached to from the root is the hub's, which detaches at once.
  const other = connection.session((await root.send('Target.attachToBrowserTarget')).sessionId);
  const { sessionId } = await other.send('Target.attachToTarget', { targetId, flatten: true });
  // The renderer ends before it can answer.
  const session = connection.session(sessionId);
  session.send('Page.crash').catch(() => {});
  await crashed;
}

describe('the pool', () => {
  test('gives each slot a context of its own, makes the others wait, and serves them in order', async () => {
    await using own = await openLab({ slots: 2 });
    const [a, b] = await Promise.all([own.slot(), own.slot()]);
    expect(a.contextId).not.toBe(b.contextId);
    const order: string[] = [];
    const asked = async (name: string): Promise<Slot> => {
      const slot = await own.slot();
      order.push(name);
      return slot;
    };
    const third = asked('third');
    const fourth = asked('fourth');
    const given = new AbortController();
    const fifth = own.pool.acquire(given.signal);
    given.abort();
    await expect(fifth).rejects.toMatchObject({ code: 'slot_aborted' });
    expect(order).toEqual([]);
    await a.release();
    const c = await third;
    await b.release();
    const d = await fourth;
    expect(order).toEqual(['third', 'fourth']);
    await Promise.all([c.release(), d.release()]);
    expect(own.pool.inUse).toBe(0);
  });

  test('replaces a browser that dies, and says so', async () => {
    await using own = await openLab({ slots: 2 });
    const slot = await own.slot();
    const pid = slot.host.browser.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await slot.host.browser.gone;
    expect((await slot.witness.observe()).state).toBe('gone');
    await slot.release();
    const next = await own.slot();
    expect(next.host.browser.pid).not.toBe(pid);
    await show(next, `${own.server.origin}/small`);
    expect(own.events.map(({ type }) => type)).toEqual(['browser_started', 'browser_lost', 'browser_started']);
    await next.release();
  });

  test('replaces a browser whose utility page has crashed: the next slots are of another one, a running slot keeps its own', async () => {
    await using own = await openLab({ slots: 3 });
    await own.pool.warm(3);
    const running = await own.slot();
    await crash(running.host.browser.connection, 'https://utility-page.');
    // More than the pool tries for one slot: none of those that were prepared in that browser is given out.
    for (const slot of await Promise.all([own.slot(), own.slot()])) {
      expect(slot.host).not.toBe(running.host);
      await show(slot, `${own.server.origin}/small`);
      await slot.release();
    }
    await show(running, `${own.server.origin}/small`);
    await running.release();
    await running.host.browser.gone;
    expect(own.events.map(({ type }) => type)).toEqual(['browser_started', 'browser_replaced', 'browser_started']);
    expect(own.pool.browsers).toHaveLength(1);
  });

  test('replaces a browser in which no slot can be prepared any more', async () => {
    const found = findBrowser();
    if (!found) throw new Error('no browser');
    let isFirst = true;
    const start = async (): Promise<Browser> => {
      const browser = await Browser.launch({ browser: found });
      if (!isFirst) return browser;
      isFirst = false;
      const { root } = browser.connection;
      const send = root.send.bind(root) as (method: string, ...rest: unknown[]) => Promise<never>;
      // The utility page has its context; the first slot gets none.
      let contexts = 0;
      root.send = (method: string, ...rest: unknown[]) =>
        method === 'Target.createBrowserContext' && ++contexts > 1
          ? Promise.reject(new Error('no more contexts'))
          : send(method, ...rest);
      return browser;
    };
    await using own = await openLab({ slots: 1, pool: { start } });
    await using slot = await own.slot();
    expect((await slot.witness.observe()).state).toBe('ok');
    expect(own.events.slice(0, 3)).toMatchObject([
      { type: 'browser_started' },
      { type: 'browser_replaced', reason: 'no more contexts' },
      { type: 'browser_started' },
    ]);
  });

  test('a browser that can not be started is an error for who asks, and the next one may succeed', async () => {
    const found = findBrowser();
    if (!found) throw new Error('no browser');
    const starts = [() => Promise.reject(new Error('no browser today')), () => Browser.launch({ browser: found })];
    await using own = await openLab({
      slots: 1,
      pool: { start: () => (starts.shift() ?? starts[0])?.() as Promise<Browser> },
    });
    await expect(own.pool.acquire()).rejects.toThrow('no browser today');
    expect(own.pool.inUse).toBe(0);
    await using slot = await own.slot();
    expect((await slot.witness.observe()).state).toBe('ok');
  });

  test('spreads slots evenly over browsers that start at the same time', async () => {
    await using own = await openLab({ slots: 12, pool: { slotsPerBrowser: 4 } });
    await own.pool.warm(12);
    const slots = await Promise.all(Array.from({ length: 12 }, () => own.slot()));
    const counts = own.pool.browsers.map((browser) => slots.filter(({ host }) => host.browser === browser).length);
    expect(counts).toEqual([4, 4, 4]);
  });

  test('starts no second browser for a few slots', async () => {
    await using own = await openLab({ slots: 5 });
    const slots = await Promise.all(Array.from({ length: 5 }, () => own.slot()));
    expect(new Set(slots.map(({ host }) => host)).size).toBe(1);
  });

  test('leaves no process and no profile behind', async () => {
    const own = await openLab({ slots: 4, pool: { slotsPerBrowser: 2 } });
    const slots = await Promise.all([own.slot(), own.slot(), own.slot(), own.slot()]);
    const flags = own.pool.browsers.map(({ pid }) => pid);
    expect(new Set(slots.map(({ host }) => host)).size).toBe(2);
    const profiles = flags.map(
      (pid) =>
        processesWith('--user-data-dir=')
          .find((one) => one.pid === pid)
          ?.commandLine.match(/--user-data-dir=(\S+)/)?.[1] ?? '',
    );
    expect(profiles.every(Boolean)).toBe(true);
    await own[Symbol.asyncDispose]();
    for (const profile of profiles) {
      // Children of a killed browser need a moment to be gone from the process table.
      await until(() => processesWith(profile).length === 0, 'all processes to end');
      expect(await import('node:fs').then(({ existsSync }) => existsSync(profile))).toBe(false);
    }
    await expect(own.pool.acquire()).rejects.toMatchObject({ code: 'pool_closed' });
  });
});
