/** Episodes that copy and paste at the same time in one browser, which has only one clipboard. */
import { expect, test } from 'vitest';
import { Gate } from '../../src/chromium/index.ts';
import { optionsFor } from '../support/gate-lab.ts';
import { until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';
import { type TestTools, useEmbeddedServer } from './embedded.ts';

const SLOTS = 5;
const ROUNDS = 3;
const embedded = useEmbeddedServer({ slots: SLOTS, pool: { slotsPerBrowser: SLOTS } });

async function atClipboard(): Promise<TestTools> {
  const tools = await embedded.open();
  const { contextId, host } = tools.slot;
  await host.browser.connection.root.send('Browser.grantPermissions', {
    browserContextId: contextId,
    permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'],
  });
  await tools.goto(`${embedded.lab.secureOrigin}/clipboard`);
  return tools;
}

const click = (tools: TestTools, selector: string) => tools.ok('interact', { action: 'click', selector });
const press = (tools: TestTools, selector: string, key: string) =>
  tools.ok('interact', { action: 'press', selector, key });
const says = (tools: TestTools, words: string) => until(async () => (await tools.textOf('#result')) === words, words);

const WAYS: readonly ((tools: TestTools) => Promise<unknown>)[] = [
  async (tools) => {
    await click(tools, '#copy-command');
    await says(tools, 'Copied by command.');
  },
  async (tools) => {
    await click(tools, '#copy-api');
    await says(tools, 'Copied by API.');
  },
  async (tools) => {
    await press(tools, '#source', 'Control+A');
    await press(tools, '#source', 'Control+C');
  },
  async (tools) => {
    await press(tools, '#source', 'Control+A');
    await press(tools, '#source', 'Control+X');
  },
];

async function pasted(tools: TestTools): Promise<unknown> {
  await tools.evaluate(`document.querySelector('#target').value = ''`);
  await press(tools, '#target', 'Control+V');
  return tools.evaluate(`document.querySelector('#target').value`);
}

test('each slot pastes what it copied itself, however its page copies, and a slot that never copied pastes nothing', async () => {
  await using a = await atClipboard();
  await using b = await atClipboard();
  await using c = await atClipboard();
  await using never = await atClipboard();
  expect(new Set([a, b, c, never].map(({ slot }) => slot.host)).size).toBe(1);
  const wrong: unknown[] = [];
  const copies = async (tools: TestTools, name: string, first: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const text = `${name} ${round}`;
      await tools.evaluate(`document.querySelector('#source').value = ${JSON.stringify(text)}`);
      await WAYS[(first + round) % WAYS.length]?.(tools);
      const found = await pasted(tools);
      if (found !== text) wrong.push({ name, round, found });
    }
  };
  const pastes = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const found = await pasted(never);
      if (found !== '') wrong.push({ name: 'never', round, found });
    }
  };
  /** New slots come and go meanwhile. */
  const renews = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS; round++) {
      const { slot, proof } = await embedded.lab.pool.acquire();
      if (proof.fingerprint.clipboard.length > 0) wrong.push(proof.findings);
      await slot.release();
    }
  };
  await Promise.all([copies(a, 'a', 0), copies(b, 'b', 1), copies(c, 'c', 2), pastes(), renews()]);
  expect(wrong).toEqual([]);
  expect(never.slot.clipboard.kinds).toEqual([]);
  expect(a.slot.clipboard.kinds).toEqual(['text/plain']);
});

test('a copy keeps all its types and pictures while other slots copy', async () => {
  await using a = await atClipboard();
  await using b = await atClipboard();
  await a.evaluate(`addEventListener('copy', (event) => {
    event.preventDefault();
    event.clipboardData.setData('text/plain', 'plain');
    event.clipboardData.setData('text/html', '<b>rich</b>');
    event.clipboardData.setData('application/x-note', '{"n":1}');
  })`);
  const seen = `(() => { globalThis.seen = undefined; addEventListener('paste', (event) => {
    const { types, files } = event.clipboardData;
    globalThis.seen = [types.filter((type) => type !== 'Files').map((type) => event.clipboardData.getData(type)).join(' '), files.length];
  }, { once: true, capture: true }); })()`;
  for (const copy of [() => press(a, '#source', 'Control+C'), () => click(a, '#copy-command')]) {
    await copy();
    await WAYS[2]?.(b);
    await a.evaluate(seen);
    await press(a, '#target', 'Control+V');
    expect(await a.evaluate('seen')).toEqual([expect.stringContaining('<b>rich</b>'), 0]);
    expect(await a.evaluate('seen[0]')).toContain('{"n":1}');
  }
  await click(a, '#source');
  await a.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(2, 2);
    canvas.getContext('2d').fillRect(0, 0, 1, 1);
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })]);
  })()`);
  await WAYS[2]?.(b);
  await a.evaluate(seen);
  await press(a, '#target', 'Control+V');
  expect(await a.evaluate('seen[1]')).toBe(1);
});

test('a foreign server behind the gate copies and pastes by key events, in the order in which it sends them', async () => {
  await using a = await atClipboard();
  await using b = await atClipboard();
  await using gate = await Gate.open({ ...optionsFor(a.slot), useClipboard: (send) => a.slot.clipboard.use(send) });
  await using client = await RawClient.connect(gate.wsAddress);
  const session = await client.attach(a.slot.firstPage.targetId);
  const key = (type: string, letter: string) =>
    client.send(
      'Input.dispatchKeyEvent',
      {
        type,
        key: letter,
        code: `Key${letter.toUpperCase()}`,
        windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0),
        modifiers: 2,
      },
      session,
    );
  const chord = (letter: string) => Promise.all([key('rawKeyDown', letter), key('keyUp', letter)]);
  await a.evaluate(
    `(() => { const source = document.querySelector('#source'); source.value = 'of a'; source.focus(); source.select(); })()`,
  );
  await chord('c');
  await WAYS[2]?.(b);
  await a.evaluate(`document.querySelector('#target').focus()`);
  // Sent at once: the text must come after the paste.
  await Promise.all([chord('v'), client.send('Input.insertText', { text: '!' }, session)]);
  expect(await a.evaluate(`document.querySelector('#target').value`)).toBe('of a!');
});
