import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Capture } from '../../src/capture/formats.ts';
import { readZip } from './read-zip.ts';
import { type Chat, quick, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

const prompts = ['What is 1 + 1?', 'What is 2 + 2?', 'What is 3 + 3?'];
const answers = ['1 + 1 = 2', '2 + 2 = 4', '3 + 3 = 6'];
const codes = ({ results }: Capture): (string | null)[] =>
  results.map(({ error }) => error && `${error.code}: ${error.message}`);

/** While the run is paused, more time passes than an item may take, and the answer is given. Nothing of it may be noticed. */
async function expectNoProgress(chat: Chat): Promise<void> {
  await chat.evaluate(`{
    const now = performance.now.bind(performance);
    performance.now = () => now() + ${2 * (quick.item_timeout_ms ?? 0)};
    window.chatFixture.release();
  }`);
  await vi.waitFor(async () => expect(await chat.evaluate('document.body.innerText')).toContain(answers[0]), {
    timeout: 30_000,
  });
  expect((await chat.payload()).results).toEqual([]);
}

describe.concurrent('the panel', () => {
  test('pauses and resumes; paused time does not count', async () => {
    await using chat = await stage.chat('custom', { held: '' });
    await chat.start(chat.pack(prompts));
    await chat.panel.says('waiting for the answer');
    await chat.panel.click('Pause');
    await chat.panel.says('Paused.');
    await expectNoProgress(chat);
    await chat.panel.click('Resume');
    const { results } = await chat.finished();
    expect(results.map(({ response, error }) => error ?? response)).toEqual(answers);
  });

  test('pauses while the tab is hidden', async () => {
    await using chat = await stage.chat('gemini', { held: '' });
    await chat.evaluate(
      `Object.defineProperty(document, 'visibilityState', { get: () => window.tabState ?? 'visible' })`,
    );
    const show = (state: string): Promise<unknown> =>
      chat.evaluate(`void (window.tabState = '${state}', document.dispatchEvent(new Event('visibilitychange')))`);
    await chat.start(chat.pack(prompts));
    await chat.panel.says('waiting for the answer');
    await show('hidden');
    await chat.panel.says('Paused while this tab is hidden.');
    await expectNoProgress(chat);
    await show('visible');
    const { results } = await chat.finished();
    expect(results.map(({ response, error }) => error ?? response)).toEqual(answers);
  });

  test('skips an item, saves a part, stops and saves the rest', async () => {
    await using chat = await stage.chat('chatgpt', { fault: 'never-stop', from: '2' });
    await chat.start(chat.pack(prompts, { settings: { item_timeout_ms: 60_000 } }));
    await chat.panel.says('Item 2: waiting for the answer');
    await chat.panel.click('Download partial');
    const [part] = await chat.saved(1);
    expect(part?.name).toMatch(/-partial\.eval752\.zip$/);
    expect(readZip(part?.bytes ?? Buffer.alloc(0)).get('results.jsonl')).toMatch(/^\{"dataset_item_id":"i1".*\}\n$/);

    // The message about the file has made room again: it moves the buttons.
    await chat.panel.says('Item 2: waiting for the answer');
    await chat.panel.click('Skip');
    await chat.panel.says('Item 3: waiting for the answer');
    await vi.waitFor(async () => expect((await chat.payload()).results).toHaveLength(2), { timeout: 30_000 });
    await chat.panel.click('Stop and download');
    const capture = await chat.finished();
    expect(codes(capture)).toEqual([null, 'aborted: Skipped by the user.', 'aborted: Stopped by the user.']);
    expect(capture.results[1]?.response).toMatch(/^and so on/);
    expect(await chat.sent()).toEqual(prompts);
    await chat.panel.says('Finished: 3 items, 2 with an error. Saved browser-harness-chatgpt-');
    await chat.saved(2);
    await chat.panel.click('Download again');
    await chat.saved(3);
    await chat.panel.click('Close');
    expect(await chat.panel.text()).toBe('');
  });

  test('stops during a pause, and items that were not started are missing, not wrong', async () => {
    await using chat = await stage.chat('custom', { fault: 'never-stop', from: '2' });
    await chat.start(chat.pack(prompts));
    await chat.panel.says('Item 2: waiting for the answer');
    await chat.panel.click('Pause');
    await chat.panel.click('Stop and download');
    const { results } = await chat.finished();
    expect(results.map(({ error }) => error?.code ?? null)).toEqual([null, 'aborted']);
    expect((await chat.saved())[0]?.name).toMatch(/-partial/);
  });

  test('works by keyboard, keeps the focus while the run types, and hides its keys from the page', async () => {
    await using chat = await stage.chat('chatgpt', { fault: 'never-stop', from: '2' });
    await chat.evaluate(
      `void document.addEventListener('keydown', () => { window.keysSeen = (window.keysSeen ?? 0) + 1; })`,
    );
    const key = async (name: string, code: number, text = ''): Promise<void> => {
      await chat.session.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        key: name,
        code: name,
        windowsVirtualKeyCode: code,
        text,
      });
      await chat.session.send('Input.dispatchKeyEvent', {
        type: 'keyUp',
        key: name,
        code: name,
        windowsVirtualKeyCode: code,
      });
    };
    const hasFocus = (): Promise<boolean> => chat.evaluate(`document.activeElement?.localName === 'eval752-panel'`);
    const box = (): Promise<{ x: number; y: number }> =>
      chat.evaluate(`document.querySelector('eval752-panel').getBoundingClientRect().toJSON()`);
    await chat.start(chat.pack(prompts));
    await chat.panel.focus('Move');
    const before = await box();
    await key('ArrowUp', 38);
    await key('ArrowLeft', 37);
    expect(await box()).toMatchObject({ x: before.x - 24, y: before.y - 24 });
    await chat.panel.says('Item 2: waiting for the answer');
    expect(await hasFocus()).toBe(true);
    await chat.panel.focus('Stop and download');
    await key('Enter', 13, '\r');
    await chat.finished();
    expect(await hasFocus()).toBe(true);
    expect(await chat.evaluate('window.keysSeen ?? 0')).toBe(0);
  });

  test('can be dragged, and stays in the window', async () => {
    await using chat = await stage.chat('custom', { fault: 'never-stop' });
    await chat.start(chat.pack(prompts, { settings: { item_timeout_ms: 60_000 } }));
    await chat.panel.says('waiting for the answer');
    const box = (): Promise<{ x: number; y: number }> =>
      chat.evaluate(`document.querySelector('eval752-panel').getBoundingClientRect().toJSON()`);
    const { x, y } = await box();
    const mouse = (
      type: 'mousePressed' | 'mouseMoved' | 'mouseReleased',
      at: { x: number; y: number },
    ): Promise<unknown> =>
      chat.session.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', buttons: 1, clickCount: 1 });
    await mouse('mousePressed', { x: x + 30, y: y + 15 });
    await mouse('mouseMoved', { x: x - 170, y: y + 115 });
    expect(await box()).toMatchObject({ x: x - 200, y: y + 100 });
    await mouse('mouseMoved', { x: -500, y: -500 });
    await mouse('mouseReleased', { x: -500, y: -500 });
    expect(await box()).toMatchObject({ x: 0, y: 0 });
  });

  test('is never mistaken for a part of the page', async () => {
    await using chat = await stage.chat('custom');
    const pack = chat.pack(prompts.slice(0, 1));
    const selectors = {
      ...pack.selectors,
      busy: ['eval752-panel', ...pack.selectors.busy],
      assistant_turn: ['html > :not(head):not(body)', ...pack.selectors.assistant_turn],
    };
    const { results } = await chat.run({ ...pack, selectors });
    expect(results[0]?.response).toBe(answers[0]);
    expect(await chat.evaluate(`document.querySelector('eval752-panel').shadowRoot`)).toBe(null);
  });
});

describe.concurrent('an export that fails', () => {
  test('as ZIP is saved as JSON', async () => {
    await using chat = await stage.chat('custom');
    await chat.evaluate(`void (window.Blob = class extends Blob {
      constructor(parts, options) {
        if (options?.type === 'application/zip') throw new Error('no archives here');
        super(parts, options);
      }
    })`);
    const capture = await chat.run(chat.pack(prompts.slice(0, 1)));
    const [file] = await chat.saved();
    expect(file?.name).toMatch(/\.eval752\.json$/);
    expect(JSON.parse(file?.bytes.toString() ?? '')).toEqual(capture);
  });

  test('as a file is shown as text to copy', async () => {
    await using chat = await stage.chat('gemini');
    await chat.evaluate(`void (URL.createObjectURL = () => { throw new Error('no files here'); })`);
    const capture = await chat.run(chat.pack(prompts.slice(0, 1)));
    await chat.panel.says(/could not be saved \(Error: no files here\)/);
    const text = await chat.panel.call<string>(
      ({ localName }) => localName === 'textarea',
      'e => e.hidden ? "" : e.value',
    );
    expect(JSON.parse(text)).toEqual(capture);
    expect(chat.slot.witness.downloads.total).toBe(0);
  });
});

test('leaving the page during a run asks for confirmation', async () => {
  await using chat = await stage.chat('custom', { fault: 'never-stop' });
  await chat.start(chat.pack(prompts, { settings: { item_timeout_ms: 60_000 } }));
  await chat.panel.says('waiting for the answer');
  await chat.panel.click('Download partial');
  await chat.saved();
  const asked = chat.session.next('Page.javascriptDialogOpening');
  const left = chat.session.send('Page.navigate', { url: `${stage.fixtures.origin}/small` });
  expect((await asked).type).toBe('beforeunload');
  await chat.session.send('Page.handleJavaScriptDialog', { accept: true });
  await left;
});

describe.concurrent('a reload of the page', () => {
  test('loses nothing that was captured: the run goes on where it was, and its session stays the same', async () => {
    await using chat = await stage.chat('custom', { fault: 'never-stop', from: '2' });
    const pack = chat.pack(prompts, { settings: { item_timeout_ms: 60_000 } });
    await chat.start(pack);
    await chat.panel.says('Item 2: waiting for the answer');
    const before = await chat.payload();
    await chat.reload();
    await chat.start(pack);
    await chat.panel.says('1 of 3 items were answered in an earlier run of this pack');
    expect(await chat.sent()).toEqual([]);
    await chat.panel.click('Continue');
    const capture = await chat.finished();
    expect(capture.results.map(({ response, error }) => error ?? response)).toEqual(answers);
    expect(capture.results[0]).toEqual(before.results[0]);
    expect(capture.browser_harness.session.started_at).toBe(before.browser_harness.session.started_at);
    expect(await chat.sent()).toEqual(prompts.slice(1));
    // All answers are in the saved file: nothing stays behind in the page.
    await vi.waitFor(async () => expect(await chat.evaluate(KEPT)).toEqual([]), { timeout: 30_000 });
  });

  test('can start over, or only download; what has expired is removed', async () => {
    await using chat = await stage.chat('chatgpt', { fault: 'never-stop', from: '2' });
    const pack = chat.pack(prompts, { settings: { item_timeout_ms: 60_000 } });
    await chat.start(pack);
    await chat.panel.says('Item 2: waiting for the answer');
    const { session } = (await chat.payload()).browser_harness;
    await chat.reload();
    await chat.start(pack);
    await chat.panel.says('1 of 3 items were answered');
    await chat.panel.click('Download these');
    const part = await chat.finished();
    expect(part.results.map(({ response }) => response)).toEqual(answers.slice(0, 1));
    expect(part.browser_harness.session.started_at).toBe(session.started_at);
    await chat.panel.says('Ended early: 1 of 3 items');
    expect(await chat.evaluate(KEPT)).toEqual([['pack-1', session.started_at, 'i1']]);
    await chat.start(pack);
    await chat.panel.says('1 of 3 items were answered');
    await chat.panel.click('Start over');
    const whole = await chat.finished();
    expect(whole.results.map(({ response }) => response)).toEqual(answers);
    expect(whole.browser_harness.session.started_at > session.started_at).toBe(true);
    await chat.panel.click('Close');

    await chat.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('eval752_browser_harness');
      opening.onsuccess = () => {
        const writing = opening.result.transaction('results', 'readwrite');
        const row = { pack: 'old', session: 's', item: 'i', result: {} };
        writing.objectStore('results').put({ ...row, expires: new Date(Date.now() - 1).toISOString() });
        writing.objectStore('results').put({ ...row, pack: 'other', expires: new Date(Date.now() + 1e6).toISOString() });
        writing.oncomplete = () => resolve();
        writing.onabort = () => reject(writing.error);
      };
    })`);
    await chat.run(chat.pack(['What is 5 + 5?'], { pack_id: 'pack-3' }));
    await vi.waitFor(async () => expect(await chat.evaluate(KEPT)).toEqual([['other', 's', 'i']]), { timeout: 30_000 });
  });

  test('is announced as a danger where the page has no storage, and the run goes on', async () => {
    await using chat = await stage.chat('gemini');
    await chat.evaluate(`void (indexedDB.open = () => { throw new Error('no storage here'); })`);
    const { results } = await chat.run(chat.pack(prompts.slice(0, 1)));
    expect(results[0]?.response).toBe(answers[0]);
    await chat.panel.says(
      'storage can’t be used (no storage here). A reload of the page would lose what was captured.',
    );
  });
});

test('what is on the window is frozen, and every download after the end is the same', async () => {
  await using chat = await stage.chat('custom');
  const capture = await chat.run(chat.pack(prompts.slice(0, 2)));
  const [first] = await chat.saved(1);
  await chat.evaluate(`{
    const last = window.__EVAL752_LAST_BROWSER_HARNESS_RESULT__;
    const attempts = [
      () => { last.results[0].response = 'forged'; },
      () => { last.results[0].timing.latency_ms = 1; },
      () => { last.results.push(last.results[0]); },
      () => { last.browser_harness.target.origin = 'https://evil.example'; },
      () => { last.manifest.item_count = 0; },
    ];
    for (const attempt of attempts) try { attempt(); } catch {}
  }`);
  await chat.panel.click('Download again');
  const [, again] = await chat.saved(2);
  expect(again?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect(await chat.payload()).toEqual(capture);
});

/** The keys of what the runtime keeps in the page. */
const KEPT = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('eval752_browser_harness');
  opening.onsuccess = () => {
    const reading = opening.result.transaction('results').objectStore('results').getAllKeys();
    reading.onsuccess = () => { opening.result.close(); resolve(reading.result); };
    reading.onerror = () => reject(reading.error);
  };
})`;
