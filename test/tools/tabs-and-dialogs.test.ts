import { describe, expect, test } from 'vitest';
import { useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

describe('dialogs', () => {
  test('opened by a click are reported with it, block other calls, and are answered', async () => {
    await using tools = await embedded.open();
    await tools.goto('/dialogs');
    expect(await tools.ok('interact', { action: 'click', selector: '#confirm' })).toBe(
      'Clicked [a1] button "Ask to confirm". A confirm dialog is open: "Do you confirm?". Call handle_dialog to answer it.',
    );
    const refused = await tools.call('read_page');
    expect([refused.kind, refused.text]).toEqual([
      'dialog_open',
      'A dialog of the page is open (confirm: "Do you confirm?"). Call handle_dialog first: the page waits for an answer.',
    ]);
    for (const name of ['page_screenshot', 'find', 'interact', 'javascript_tool', 'navigate']) {
      const args = {
        find: { query: 'x' },
        interact: { action: 'click', selector: '#alert' },
        javascript_tool: { code: '1' },
        navigate: { url: 'about:blank' },
      }[name];
      expect((await tools.call(name, args ?? {})).kind).toBe('dialog_open');
    }
    expect(await tools.ok('tabs_context')).toContain('confirm dialog open: "Do you confirm?"');
    expect(await tools.ok('handle_dialog', { accept: true })).toBe('Accepted the confirm dialog "Do you confirm?".');
    expect(await tools.textOf('#result')).toBe('Confirmed.');
    await tools.ok('interact', { action: 'click', selector: '#confirm' });
    await tools.ok('handle_dialog', { accept: false });
    expect(await tools.textOf('#result')).toBe('Not confirmed.');
    expect((await tools.call('handle_dialog', { accept: true })).kind).toBe('no_dialog');
  });

  test('that ask for words get them', async () => {
    await using tools = await embedded.open();
    await tools.goto('/dialogs');
    await tools.ok('interact', { action: 'click', selector: '#prompt' });
    await tools.ok('handle_dialog', { accept: true, promptText: 'Ada' });
    expect(await tools.textOf('#result')).toBe('Hello, Ada.');
  });

  test('opened by code, by loading and by leaving', async () => {
    await using tools = await embedded.open();
    await tools.goto('/dialogs');
    expect(await tools.ok('javascript_tool', { code: `alert('From code')` })).toContain(
      'An alert dialog is open: "From code".',
    );
    await tools.ok('handle_dialog', { accept: true });
    const loading = await tools.call('navigate', { url: `${embedded.lab.server.origin}/dialogs?onload=alert` });
    expect(loading.text).toContain('This alert opened with the page.');
    await tools.ok('handle_dialog', { accept: true });
    expect(await tools.textOf('#result')).toBe('Alert closed.');
    await tools.ok('interact', { action: 'click', selector: '#guard' });
    expect(await tools.ok('interact', { action: 'click', selector: '#leave' })).toContain(
      'A beforeunload dialog is open',
    );
    await tools.ok('handle_dialog', { accept: false });
    expect(await tools.textOf('#result')).toBe('The page is guarded.');
    expect((await tools.call('navigate', { url: `${embedded.lab.server.origin}/small` })).kind).toBe('dialog_open');
    expect(await tools.ok('handle_dialog', { accept: true })).toContain(
      'The page is now http://fixtures.waymark.test/small.',
    );
  });
});

test('a dialog that opens in the middle of a call ends it at once', async () => {
  await using tools = await embedded.open();
  await tools.goto('/small');
  await tools.evaluate(`setTimeout(() => alert('Suddenly'), 150); 0`);
  const said = await tools.call('wait_for', { text: 'Never' });
  expect([said.kind, said.text.split('. ')[0]]).toEqual([
    'dialog_open',
    'A dialog of the page is open (alert: "Suddenly")',
  ]);
  await tools.ok('handle_dialog', { accept: true });
  expect(await tools.ok('read_page')).toContain('Bump');
});

describe('tabs', () => {
  test('opened by the page are reported, and used by their id', async () => {
    await using tools = await embedded.open();
    await tools.goto('/popup');
    for (const selector of ['#open-popup', '#open-tab']) {
      const said = await tools.ok('interact', { action: 'click', selector });
      const tabId = /A new tab opened: http:\/\/fixtures\.waymark\.test\/popup\/window \(tabId (\w+)\)\./.exec(
        said,
      )?.[1];
      expect(tabId, said).toBeDefined();
      // The tab that was used stays the one that is meant.
      expect(await tools.ok('read_page')).toContain('Both open the same page');
      await tools.ok('form_input', { tabId, selector: '#message', value: `by ${selector}` });
      await tools.ok('interact', { tabId, action: 'click', selector: '#send' });
      expect(tools.slot.witness.page?.targetId).toBe(tabId);
      const closed = await tools.ok('interact', { action: 'click', selector: '#close' });
      expect(closed).toContain('The tab is closed now.');
      // Messages between windows take their time.
      await tools.ok('wait_for', { text: `Message: by ${selector}` });
      expect(await tools.textOf('#result')).toBe(`Message: by ${selector}`);
    }
    expect((await tools.call('read_page', { tabId: 'nowhere' })).kind).toBe('page_gone');
  });

  test('are created, listed and closed', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    const opened = await tools.ok('tabs_create', { url: `${embedded.lab.server.origin}/list` });
    const tabId = /tabId (\w+)/.exec(opened)?.[1];
    expect(opened).toContain('The page is now http://fixtures.waymark.test/list.');
    const lines = (await tools.ok('tabs_context')).split('\n');
    expect(lines).toHaveLength(2);
    expect(lines.find((line) => line.includes('/list'))).toContain('used last');
    await tools.ok('interact', { action: 'click', text: 'Delete Map' });
    expect(await tools.ok('tabs_close', { tabId })).toContain('The tab used last is now');
    expect(await tools.ok('read_page')).toContain('Bump');
    const last = await tools.call('tabs_close');
    expect([last.kind, last.text]).toEqual([
      'bad_argument',
      'This would close the last tab. Open another one with tabs_create first.',
    ]);
    expect((await tools.call('tabs_close', { tabId })).kind).toBe('page_gone');
  });
});

describe('navigating', () => {
  test('waits for a slow page, tells its status, and goes back, forward and again', async () => {
    await using tools = await embedded.open();
    expect(await tools.ok('navigate', { url: `${embedded.lab.server.origin}/slow?ms=400` })).toContain('/slow?ms=400.');
    expect(await tools.ok('navigate', { url: `${embedded.lab.server.origin}/status/404` })).toContain(
      'The server answered with status 404.',
    );
    await tools.goto('/small');
    await tools.ok('interact', { action: 'click', selector: '#bump' });
    expect(await tools.ok('navigate', { url: 'back' })).toContain('/status/404.');
    expect(await tools.ok('navigate', { url: 'forward' })).toContain('/small.');
    await tools.evaluate('globalThis.before = 1');
    await tools.ok('navigate', { url: 'reload' });
    expect(await tools.evaluate('globalThis.before')).toBeUndefined();
    expect((await tools.call('navigate', { url: 'forward' })).kind).toBe('navigation_failed');
  });

  test('to a missing page, to an invalid address, and to an address that is not allowed', async () => {
    await using tools = await embedded.open();
    const dead = await tools.call('navigate', { url: 'http://127.0.0.1:1/' });
    expect([dead.kind, dead.text]).toEqual([
      'navigation_failed',
      'http://127.0.0.1:1/ could not be loaded: net::ERR_UNSAFE_PORT. Check the address; tabs_context shows where the tab is.',
    ]);
    expect((await tools.call('navigate', { url: 'http://a b/' })).kind).toBe('bad_argument');
    expect((await tools.call('navigate', { url: 'file:///etc/hostname' })).kind).toBe('bad_argument');
  });

  test('a click on a link to a slow page is over when that page is there', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    await tools.evaluate(`document.body.innerHTML = '<a href="/slow?ms=500">Go</a>'`);
    expect(await tools.ok('interact', { action: 'click', text: 'Go' })).toContain(
      'The page is now http://fixtures.waymark.test/slow?ms=500.',
    );
  });

  test('a click that downloads says so and stays', async () => {
    await using tools = await embedded.open();
    await tools.goto('/download');
    const said = await tools.ok('interact', { action: 'click', selector: '#download-link' });
    expect(said).toContain('A download began: report.csv.');
    expect(said).not.toContain('The page is now');
    expect(await tools.textOf('#result')).toBe('Asked for report.csv by link.');
  });
});

describe('wait_for', () => {
  test('text, element, address and their absence, as they come', async () => {
    await using tools = await embedded.open();
    await tools.goto('/network');
    await tools.ok('interact', { action: 'click', selector: '#send-slow' });
    const result = await tools.textOf('#result');
    const said = await tools.ok('wait_for', { text: result, gone: true });
    expect(said).toContain('is gone after');

    await tools.goto('/small');
    await tools.evaluate(`document.body.innerHTML = '<p id=p>Loading…</p>'`);
    await tools.evaluate(
      `setTimeout(() => { document.querySelector('#p').outerHTML = '<b>Ready</b>'; location.hash = 'ready'; }, 200)`,
    );
    expect(await tools.ok('wait_for', { selector: 'b' })).toMatch(/^There is \[\w+\] b "Ready" after \d+ ms\.$/);
    expect(await tools.ok('wait_for', { text: 'Loading', gone: true })).toContain('is gone');
    expect(await tools.ok('wait_for', { url: '*#ready' })).toContain('#ready');
    const late = await tools.call('wait_for', { text: 'Never', timeoutMs: 400 });
    expect([late.kind, late.text.split('.')[0]]).toEqual(['timeout', 'There is no visible text "Never" after 400 ms']);
    expect((await tools.call('wait_for', { url: '/elsewhere', timeoutMs: 200 })).kind).toBe('timeout');
    expect((await tools.call('wait_for', { text: 'a', ms: 1 })).kind).toBe('bad_argument');
    expect(await tools.ok('wait_for', { ms: 50 })).toBe('Waited 50 ms.');
  });

  test('across a navigation', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    await tools.evaluate(`setTimeout(() => { location.href = '/list'; }, 150); 0`);
    expect(await tools.ok('wait_for', { text: 'Packing list' })).toContain('heading 1 "Packing list"');
    await tools.evaluate(`setTimeout(() => { location.href = '/small'; }, 150); 0`);
    expect(await tools.ok('wait_for', { url: '/small' })).toContain('/small after');
  });
});
