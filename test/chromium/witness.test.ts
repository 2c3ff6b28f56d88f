import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import { click, evaluate, type Lab, openLab, show, until } from '../support/lab.ts';

let lab: Lab;
beforeAll(async () => {
  // Without this flag headless-shell keeps other sites in one process, and this test needs a cross-process frame.
  lab = await openLab({ slots: 4, extraFlags: ['--site-per-process'] });
});
afterAll(() => lab[Symbol.asyncDispose]());

async function at(path: string): Promise<Slot> {
  const slot = await lab.slot();
  await show(slot, lab.server.origin + path);
  return slot;
}

describe('what the witness says of a page', () => {
  test('URL, title and digests are equal while nothing happens, and each digest moves with what it stands for', async () => {
    await using slot = await at('/small');
    const first = await slot.witness.observe();
    expect(first).toMatchObject({ state: 'ok', url: `${lab.server.origin}/small`, title: 'Small page' });
    const again = await slot.witness.observe();
    expect([again.dom, again.text, again.actionable]).toEqual([first.dom, first.text, first.actionable]);
    expect(again.main?.version).toBe(first.main?.version);
    expect(again.main?.regions).toEqual(first.main?.regions);
    expect(Object.keys(again.main?.regions ?? {})).toContain('controls');

    await evaluate(slot, `document.body.setAttribute('data-x', '1')`);
    const attribute = await slot.witness.observe();
    expect(attribute.dom).not.toBe(first.dom);
    expect([attribute.text, attribute.actionable]).toEqual([first.text, first.actionable]);

    await click(slot, '#bump');
    const text = await slot.witness.observe();
    expect(text.text).not.toBe(attribute.text);

    await evaluate(slot, `document.querySelector('#bump').disabled = true`);
    const disabled = await slot.witness.observe();
    expect(disabled.actionable).not.toBe(text.actionable);
    expect(disabled.text).toBe(text.text);
  });

  test('a digest made step by step equals one made from scratch', async () => {
    await using slot = await at('/nodes?n=2000');
    await slot.witness.observe();
    await click(slot, '#bump');
    await evaluate(
      slot,
      `(() => { const list = document.querySelectorAll('li, article'); list[5].remove(); list[6].append('new', document.createElement('em'));
        list[7].before(list[9]); list[10].setAttribute('title', 'x'); list[11].firstChild.textContent = 'changed'; })()`,
    );
    const grown = await slot.witness.observe();
    const scratch = await slot.witness.observe({ full: true });
    expect([scratch.dom, scratch.text, scratch.actionable]).toEqual([grown.dom, grown.text, grown.actionable]);
    expect(scratch.main?.elements).toBe(await evaluate(slot, `document.querySelectorAll('*').length`));
  });

  test('a value typed, or set by a script without an event, changes the digest; so does a check', async () => {
    await using slot = await at('/form');
    const before = await slot.witness.observe();
    await evaluate(slot, `document.querySelector('#name').value = 'Ada'`);
    const valued = await slot.witness.observe();
    expect(valued.dom).not.toBe(before.dom);
    await evaluate(slot, `document.querySelector('#terms').checked = true`);
    expect((await slot.witness.observe()).dom).not.toBe(valued.dom);
  });

  test('same page, same digests in another slot', async () => {
    await using one = await at('/nodes?n=500');
    await using two = await at('/nodes?n=500');
    const [a, b] = await Promise.all([one.witness.observe(), two.witness.observe()]);
    expect([a.dom, a.text, a.actionable, a.main?.regions]).toEqual([b.dom, b.text, b.actionable, b.main?.regions]);
  });

  test('regions name the part of the page that changed', async () => {
    await using slot = await at('/clock');
    const first = (await slot.witness.observe()).main?.regions ?? {};
    await until(async () => {
      const next = (await slot.witness.observe()).main?.regions ?? {};
      return Object.keys(next).some((path) => /clock|time/.test(path) && next[path] !== first[path]);
    }, 'the clock region to change');
    const now = (await slot.witness.observe()).main?.regions ?? {};
    const still = Object.keys(now).filter((path) => now[path] === first[path]);
    expect(still.length).toBeGreaterThan(0);
  });

  test('leaves of a contract come with the same look: text, count, shadow and frame hops, and what is not there', async () => {
    await using slot = await at('/shadow');
    const selectors = ['h1', '#outer >>> #inner >>> #deep-button', '#nowhere', 'h1 >>> p', 'h1['];
    const { main } = await slot.witness.observe({
      domText: selectors.map((selector) => ({ selector, contains: [], equals: [], patterns: [] })),
      domCount: ['button', '#nowhere'],
    });
    expect(main?.domText['h1']).toBe(await evaluate(slot, `document.querySelector('h1').innerText`));
    expect(main?.domText['#outer >>> #inner >>> #deep-button']).toBeTruthy();
    expect(main?.domText['#nowhere']).toBeNull();
    expect(main?.problems['h1 >>> p']).toBe('"h1" has no open shadow root');
    expect(main?.problems['h1[']).toMatch(/SyntaxError/);
    expect(main?.domCount['#nowhere']).toBe(0);
  });
});

describe('whether a page has changed since the last look, by its own checks', () => {
  const LONG = [20, 60_000];
  const never = new AbortController().signal;

  test('a page that keeps still has not, after all pauses', async () => {
    await using slot = await at('/form');
    await slot.witness.observe();
    expect(await slot.witness.changed([5, 10, 15], { signal: never })).toBe(false);
  });

  test.each([
    ['its document', `document.querySelector('h1').append('!')`],
    ['a value that a script sets without an event', `document.querySelector('#name').value = 'Ada'`],
    ['its address, by a new document', `location.href = '/small'`],
  ])('%s', async (_what, change) => {
    await using slot = await at('/form');
    await slot.witness.observe();
    await evaluate(slot, change);
    // Many pauses: on a busy machine a navigation takes longer than a few of them.
    expect(await slot.witness.changed(Array(1_000).fill(20), { signal: never })).toBe(true);
  });

  test('a frame in another process', async () => {
    await using slot = await at('/frames');
    await until(async () => (await slot.witness.observe()).frames.length === 3, 'three frames');
    const checks = slot.witness.changed(Array(3_000).fill(20), { signal: never });
    const frame = [...slot.firstPage.frameSessions.values()].at(-1);
    await frame?.send('Runtime.evaluate', { expression: `document.querySelector('#frame-status').append('!')` });
    expect(await checks).toBe(true);
  });

  test('a further look, or the signal, ends the checks', async () => {
    await using slot = await at('/form');
    await slot.witness.observe();
    const overtaken = slot.witness.changed([20, 20, 60_000], { signal: never });
    await slot.witness.observe();
    expect(await overtaken).toBe(false);
    const agent = new AbortController();
    const aborted = slot.witness.changed(LONG, { signal: agent.signal });
    agent.abort();
    expect(await aborted).toBe(false);
  });
});

describe('frames and shadow roots', () => {
  test('same-origin, same-site and cross-process frames are seen, and a change in each of them', async () => {
    await using slot = await at('/frames');
    await until(async () => (await slot.witness.observe()).frames.length === 3, 'three frames');
    const first = await slot.witness.observe();
    expect(first.frames.map(({ url }) => new URL(url).hostname).sort()).toEqual([
      'elsewhere.test',
      'fixtures.waymark.test',
      'other.waymark.test',
    ]);
    const processes = new Set(slot.firstPage.worlds.map(({ session }) => session.id));
    expect(processes.size, 'sessions: one for the page, one for the cross-process frame').toBe(2);
    for (const name of ['same-origin', 'same-site', 'cross-site']) {
      const before = await slot.witness.observe();
      const clicked = await Promise.all(
        slot.firstPage.worlds.map(async ({ session, uniqueId }) => {
          const expression = `location.pathname === '/frame/${name}' && (document.querySelector('#frame-button').click(), true)`;
          return (await session.send('Runtime.evaluate', { expression, uniqueContextId: uniqueId })).result.value;
        }),
      );
      expect(clicked.filter(Boolean), name).toHaveLength(1);
      await until(async () => (await slot.witness.observe()).dom !== before.dom, `a change in the ${name} frame`);
    }
  });

  test('open shadow roots are seen, also one that is attached late to a custom element', async () => {
    await using slot = await at('/shadow');
    const before = await slot.witness.observe();
    await evaluate(
      slot,
      `document.querySelector('#outer').shadowRoot.querySelector('#inner').shadowRoot.querySelector('#deep-button').textContent = 'Other'`,
    );
    const changed = await slot.witness.observe();
    expect(changed.text).not.toBe(before.text);

    await evaluate(slot, `document.body.append(document.createElement('late-comer'))`);
    const empty = await slot.witness.observe();
    await evaluate(slot, `document.querySelector('late-comer').attachShadow({ mode: 'open' }).append('hello')`);
    const attached = await slot.witness.observe();
    expect(attached.text).not.toBe(empty.text);
    await evaluate(slot, `document.querySelector('late-comer').shadowRoot.firstChild.data = 'bye'`);
    expect((await slot.witness.observe()).text).not.toBe(attached.text);
  });
});

test('the caret of a focused field does not blink, also in a shadow root and a frame; a page may decide otherwise', async () => {
  await using slot = await at('/frames');
  const caretOf = (document: string, style = '') =>
    evaluate<string>(
      slot,
      `(() => { const page = ${document}; const host = page.body.appendChild(page.createElement('div'));
        const root = host.attachShadow({ mode: 'open' }); root.innerHTML = '<input style="${style}">';
        return page.defaultView.getComputedStyle(root.firstChild).caretAnimation; })()`,
    );
  expect(await caretOf('document')).toBe('manual');
  expect(await caretOf(`document.querySelector('iframe').contentDocument`)).toBe('manual');
  expect(await caretOf('document', 'caret-animation: auto')).toBe('auto');
  await evaluate(
    slot,
    `{ const style = document.head.appendChild(document.createElement('style')); style.textContent = 'html { caret-animation: auto }'; }`,
  );
  expect(await caretOf('document')).toBe('auto');
});

describe('what happens beside the page', () => {
  test('requests are logged with method, status, size, timing and the tool call before them', async () => {
    await using slot = await at('/network');
    const marker = slot.witness.mark();
    await click(slot, '#send-created');
    const find = (path: string) => slot.witness.network.entries.find(({ url }) => new URL(url).pathname === path);
    await until(() => find('/api/created')?.endedAt !== undefined, 'the request to end');
    expect(find('/api/created')).toMatchObject({ method: 'POST', status: 201, type: 'Fetch', marker });
    expect(find('/api/created')?.size).toBeGreaterThan(0);
    expect(find('/network')).toMatchObject({ status: 200, type: 'Document', marker: 0 });
    await click(slot, '#send-error');
    await until(() => find('/api/error')?.status === 500, 'a 500');
  });

  test('console calls and uncaught errors are distinguished', async () => {
    await using slot = await at('/small');
    await evaluate(
      slot,
      `console.warn('careful', 1, {a: 2}); setTimeout(() => { throw new Error('boom') }); Promise.reject(new Error('later')); 1`,
    );
    await until(() => slot.witness.console.total >= 3, 'three entries');
    const entries = slot.witness.console.entries;
    expect(entries.find(({ type }) => type === 'warning')).toMatchObject({
      uncaught: false,
      text: expect.stringMatching(/^careful 1/),
    });
    expect(entries.filter(({ uncaught }) => uncaught).map(({ text }) => text.split('\n')[0])).toEqual(
      expect.arrayContaining(['Error: boom', 'Error: later']),
    );
  });

  test('an open dialog is known, never blocks the witness, and is only observed', async () => {
    await using slot = await at('/dialogs');
    const { session } = slot.firstPage;
    const opened = session.next('Page.javascriptDialogOpening');
    void evaluate(slot, `setTimeout(() => { document.title = String(confirm('Sure?')) })`);
    await opened;
    const during = await slot.witness.observe();
    expect(during).toMatchObject({ state: 'dialog', dialogOpen: true, url: `${lab.server.origin}/dialogs` });
    expect(await slot.witness.screenshot()).toEqual({ failed: 'a dialog is open (confirm)' });
    expect(slot.witness.dialogs.entries).toMatchObject([{ type: 'confirm', message: 'Sure?' }]);
    await session.send('Page.handleJavaScriptDialog', { accept: true });
    await until(async () => (await slot.witness.observe()).title === 'true', 'the page to go on');
    expect(slot.witness.dialogs.entries[0]).toMatchObject({ accepted: true, closedAt: expect.any(Number) });
  });

  test('a dialog that opens during a look ends the look', async () => {
    await using slot = await at('/dialogs');
    await evaluate(
      slot,
      `setTimeout(() => { const end = performance.now() + 300; while (performance.now() < end); alert('now') }); 1`,
    );
    const look = await slot.witness.observe({ timeoutMs: 30_000 });
    expect(['dialog', 'ok']).toContain(look.state);
    await until(async () => (await slot.witness.observe()).state === 'dialog', 'the dialog');
    await slot.firstPage.session.send('Page.handleJavaScriptDialog', { accept: true });
  });

  test('a download is seen with its name and end', async () => {
    await using slot = await at('/download');
    await evaluate(slot, `document.querySelector('a[href$="report.csv"]').click()`);
    await until(() => slot.witness.downloads.entries[0]?.state === 'completed', 'the download');
    expect(slot.witness.downloads.entries[0]).toMatchObject({ suggestedFilename: 'report.csv' });
    expect(slot.witness.downloads.entries[0]?.receivedBytes).toBeGreaterThan(0);
  });

  test('a popup is seen with its opener, and is not "the" page until it is used; a closed page gives way to its opener', async () => {
    await using slot = await at('/popup');
    await click(slot, '#open-popup');
    await until(() => slot.witness.pages.length === 2, 'the popup');
    const popup = slot.witness.popups.entries[0];
    expect(popup).toMatchObject({ openerId: slot.firstPage.targetId });
    expect((await slot.witness.observe()).url).toBe(`${lab.server.origin}/popup`);
    slot.witness.use(popup?.targetId ?? '');
    await until(
      async () => (await slot.witness.observe()).url === `${lab.server.origin}/popup/window`,
      'the popup to be the page',
    );
    await evaluate(slot, `window.close()`).catch(() => {});
    await until(() => slot.witness.pages.length === 1, 'the popup to close');
    expect((await slot.witness.observe()).url).toBe(`${lab.server.origin}/popup`);
  });

  test('a screenshot has bytes and a hash; the same picture has the same hash', async () => {
    await using slot = await at('/small');
    const [one, two] = [await slot.witness.screenshot(), await slot.witness.screenshot()];
    if ('failed' in one || 'failed' in two) throw new Error('no picture');
    expect(one.data.subarray(0, 2).toString('hex')).toBe('ffd8');
    expect(two.hash).toBe(one.hash);
    await click(slot, '#bump');
    const three = await slot.witness.screenshot();
    expect('hash' in three && three.hash).not.toBe(one.hash);
  });
});

describe('pages that do not behave', () => {
  test('a page whose script hangs is unresponsive within the deadline, asked only once, and known again when it answers', async () => {
    await using slot = await at('/small');
    await slot.witness.observe();
    // The script waits for a reply that this test gives.
    const asked = Promise.withResolvers<ServerResponse>();
    await using server = createServer((_, response) => asked.resolve(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const wait = `const request = new XMLHttpRequest(); request.open('GET', 'http://127.0.0.1:${port}/', false); request.send()`;
    await evaluate(slot, `setTimeout(() => { ${wait} }); 1`);
    const reply = await asked.promise;
    expect((await slot.witness.observe({ timeoutMs: 100 })).state).toBe('unresponsive');
    const during = await slot.witness.observe({ timeoutMs: 100 });
    expect(during).toMatchObject({ state: 'unresponsive', url: `${lab.server.origin}/small`, title: 'Small page' });
    expect(during.dom).toBeUndefined();
    reply.end();
    await until(async () => (await slot.witness.observe({ timeoutMs: 3_000 })).state === 'ok', 'the page to answer');
  });

  test('a document that never comes is "navigating" within the deadline, with the old URL and a picture of the old page', async () => {
    await using slot = await at('/small');
    void slot.firstPage.session.send('Page.navigate', { url: `${lab.server.origin}/hang` }).catch(() => {});
    await until(() => slot.witness.network.entries.some(({ url }) => url.endsWith('/hang')), 'the request');
    expect(await slot.witness.observe({ timeoutMs: 200 })).toMatchObject({
      state: 'navigating',
      url: `${lab.server.origin}/small`,
    });
    expect(await slot.witness.screenshot()).toMatchObject({ hash: expect.any(String) });
    await slot.firstPage.session.send('Page.stopLoading');
    await until(async () => (await slot.witness.observe()).state === 'ok', 'the old page to be seen again');
  });

  test('endless churn is seen as change and never blocks', async () => {
    await using slot = await at('/churn');
    const first = await slot.witness.observe();
    await until(async () => (await slot.witness.observe()).dom !== first.dom, 'a change');
  });

  test('a closed page, and then a killed browser, are "gone" and not an error', async () => {
    await using private_ = await openLab({ slots: 1 });
    const slot = await private_.slot();
    await slot.host.browser.connection.root.send('Target.closeTarget', { targetId: slot.firstPage.targetId });
    await until(() => slot.witness.pages.length === 0, 'the page to close');
    expect(await slot.witness.observe()).toMatchObject({ state: 'gone' });
    process.kill(slot.host.browser.pid ?? 0, 'SIGKILL');
    await slot.host.browser.gone;
    expect(await slot.witness.observe()).toMatchObject({ state: 'gone' });
    expect(await slot.witness.screenshot()).toEqual({ failed: 'no page is open' });
  });

  test('a crashed renderer is "crashed" at once, also for a look that was under way, and the tab can go on', async () => {
    await using slot = await at('/small');
    void slot.firstPage.session.send('Page.crash').catch(() => {});
    expect((await slot.witness.observe({ timeoutMs: 30_000 })).state).toBe('crashed');
    expect((await slot.witness.observe({ timeoutMs: 30_000 })).state).toBe('crashed');
    await show(slot, `${lab.server.origin}/form`);
    expect(await slot.witness.observe()).toMatchObject({ state: 'ok', title: 'Form' });
  });

  test('logs are bounded and still count everything', async () => {
    await using slot = await at('/small');
    await evaluate(slot, `for (let i = 0; i < 5000; i++) console.log('line ' + i); 1`);
    await until(() => slot.witness.console.total === 5_000, 'all lines');
    expect(slot.witness.console.entries).toHaveLength(1_000);
    expect(slot.witness.console.entries.at(-1)?.text).toBe('line 4999');
    expect(slot.witness.console.dropped).toBe(4_000);
  });

  test('deeply nested markup does not overflow', async () => {
    await using slot = await at('/small');
    await evaluate(
      slot,
      `(() => { let at = document.body; for (let i = 0; i < 2000; i++) { const d = document.createElement('div'); at.append(d); at = d; } })()`,
    );
    expect((await slot.witness.observe()).state).toBe('ok');
  });
});
