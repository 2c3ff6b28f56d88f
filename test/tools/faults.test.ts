import { describe, expect, test } from 'vitest';
import { until } from '../support/lab.ts';
import { inline, useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

describe('a page that hangs', () => {
  test('lets every call return by its deadline, and can be left by a new tab', async () => {
    await using tools = await embedded.open();
    await tools.goto('/hang-script');
    const first = tools.slot.firstPage.targetId;
    const clicked = await tools.call('interact', { action: 'click', selector: '#hang', timeoutMs: 800 });
    expect([clicked.kind, clicked.text.split('.')[0]]).toEqual(['timeout', 'The page did not answer within 800 ms']);
    const calls = [
      tools.call('read_page', { timeoutMs: 500 }),
      tools.call('find', { query: 'x', timeoutMs: 500 }),
      tools.call('page_screenshot', { timeoutMs: 500 }),
      tools.call('click_at', { coordinate: [10, 10], timeoutMs: 500 }),
      tools.call('wait_for', { text: 'x', timeoutMs: 500 }),
    ];
    for (const said of await Promise.all(calls)) {
      expect(said.kind).toBe('timeout');
    }
    await tools.ok('tabs_create', { url: `${embedded.lab.server.origin}/small` });
    expect(await tools.ok('read_page')).toContain('Bump');
    await tools.ok('tabs_close', { tabId: first });
  });

  test('by code of ours is freed again', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    const said = await tools.call('javascript_tool', { code: 'for (;;);', timeoutMs: 500 });
    expect(said.kind).toBe('timeout');
    expect(await tools.ok('read_page', { timeoutMs: 3_000 })).toContain('Bump');
  });
});

describe('an answer that never comes', () => {
  test('ends a navigation by its deadline, and the old page still answers', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    const said = await tools.call('navigate', { url: `${embedded.lab.server.origin}/hang`, timeoutMs: 600 });
    expect([said.kind, said.text.split('. ')[0]]).toEqual([
      'timeout',
      'http://fixtures.waymark.test/hang was not loaded within 600 ms',
    ]);
    expect(await tools.ok('read_page', { timeoutMs: 3_000 })).toContain('Bump');
  });

  test('after a click is reported as still loading; the tab waits for it, or is navigated elsewhere', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    await tools.evaluate(`document.body.insertAdjacentHTML('beforeend', '<a href="/hang">Hang</a>')`);
    const clicked = await tools.call('interact', { action: 'click', text: 'Hang', timeoutMs: 800 });
    expect([clicked.isError, clicked.text.includes('The next page is still loading.')]).toEqual([false, true]);
    const read = await tools.call('read_page', { timeoutMs: 400 });
    expect([read.kind, read.text]).toEqual([
      'timeout',
      'The next page is still loading after 400 ms. Wait longer with wait_for, or call navigate to go elsewhere.',
    ]);
    await tools.goto('/list');
    expect(await tools.ok('read_page')).toContain('Packing list');
  });
});

describe('a page that goes away', () => {
  test('in the middle of a call ends it at once', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    await tools.ok('tabs_create', { url: `${embedded.lab.server.origin}/list` });
    const page = tools.slot.witness.page;
    const waiting = tools.call('wait_for', { text: 'Never', timeoutMs: 20_000 });
    const clicking = tools.call('interact', { action: 'click', selector: '#never', timeoutMs: 20_000 });
    // Both are on their way when the page has answered this.
    await tools.evaluate('1');
    await page?.session.send('Page.close');
    for (const said of await Promise.all([waiting, clicking])) {
      expect(said.kind).toBe('page_gone');
    }
    expect(await tools.ok('read_page')).toContain('Bump');
  });

  test('by a crash is reported as gone, and the tab can be used again', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    const reading = tools.call('wait_for', { text: 'Never', timeoutMs: 20_000 });
    await tools.evaluate('1');
    tools.slot.firstPage.session.send('Page.crash').catch(() => {});
    const said = await reading;
    expect([said.kind, said.text]).toEqual([
      'page_gone',
      'The page has crashed. Call navigate to load a page again, or tabs_create for a new tab.',
    ]);
    await tools.goto('/list');
    expect(await tools.ok('read_page')).toContain('Packing list');
  });
});

test('a call that its caller gives up stops at once, and the next one is served', async () => {
  await using tools = await embedded.open();
  await tools.goto(inline('<button id=b disabled>B</button>'));
  const controller = new AbortController();
  const clicking = tools.call('interact', { action: 'click', selector: '#b', timeoutMs: 30_000 }, controller.signal);
  await tools.evaluate('1');
  controller.abort();
  await expect(clicking).rejects.toThrow();
  // What it waited for comes too late, and must not do anything to the clicks of others.
  await tools.evaluate(
    `document.querySelector('#b').disabled = false; document.body.insertAdjacentHTML('beforeend', '<p id=p style="margin-top:300px" onclick="this.textContent = 1">P</p>')`,
  );
  await tools.ok('click_at', { coordinate: [12, 335] });
  expect(await tools.textOf('#p')).toBe('1');
  await tools.evaluate(`document.querySelector('#b').disabled = true`);
  const said = await tools.call('interact', { action: 'click', selector: '#b', timeoutMs: 300 });
  expect(said.kind).toBe('disabled');
});

test('two callers in one tab do not get into each other', async () => {
  await using tools = await embedded.open();
  await tools.goto(inline('<input id=a aria-label=A><input id=b aria-label=B>'));
  await Promise.all([
    ...Array.from({ length: 5 }, (_, n) =>
      tools.ok('interact', { action: 'type', selector: '#a', value: `a${n}`, append: true, slowly: true }),
    ),
    ...Array.from({ length: 5 }, (_, n) =>
      tools.ok('interact', { action: 'type', selector: '#b', value: `b${n}`, append: true, slowly: true }),
    ),
  ]);
  expect(await tools.evaluate(`[document.querySelector('#a').value, document.querySelector('#b').value]`)).toEqual([
    'a0a1a2a3a4',
    'b0b1b2b3b4',
  ]);
});

test('a browser that dies is reported as gone', async () => {
  await using tools = await embedded.open();
  await tools.goto('/small');
  const waiting = tools.call('wait_for', { text: 'Never', timeoutMs: 20_000 });
  await tools.evaluate('1');
  const { browser } = tools.slot.host;
  browser.endNow();
  const said = await waiting;
  expect(['browser_gone', 'page_gone']).toContain(said.kind);
  expect((await tools.call('read_page')).isError).toBe(true);
  await until(() => !browser.connection.isOpen, 'the connection to be closed');
});
