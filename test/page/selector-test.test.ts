import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ChatPage, customSelectors } from '../../fixtures/chat/pages.ts';
import { buildSelectorTest } from '../../page/build.ts';
import { unsafeSinks } from '../../page/unsafe-sinks.ts';
import { presets, type Selectors, testBookmarklet, testScript } from '../../src/capture/formats.ts';
import { type Chat, Stage } from './stage.ts';

let stage: Stage;
let script: string;
beforeAll(async () => {
  [stage, script] = await Promise.all([Stage.open(), buildSelectorTest()]);
});
afterAll(() => stage[Symbol.asyncDispose]());

const selectorsOf = (page: ChatPage): Selectors => (page === 'custom' ? customSelectors : presets[page].selectors);

/** Types a message and sends it by hand, like a user. */
async function ask(chat: Chat, composer: string, send: string): Promise<void> {
  await chat.evaluate(`document.querySelector(${JSON.stringify(composer)}).focus()`);
  await chat.session.send('Input.insertText', { text: 'What is 2 + 3?' });
  await chat.evaluate(`document.querySelector(${JSON.stringify(send)}).click()`);
}

describe.concurrent('the selector test says what each role’s selectors match, before and after an answer', () => {
  test.each<[ChatPage, string, string, RegExp]>([
    ['chatgpt', '#prompt-textarea', 'button[data-testid="send-button"]', /of 8 roles found/],
    ['gemini', '.ql-editor', 'button[aria-label*="Send message" i]', /of 7 roles found/],
    ['custom', '.write textarea', '.write .send-message', /of 6 roles found/],
  ])('%s', async (page, composer, send, of) => {
    // ChatGPT's old layout: the second selector of each list is the one that matches.
    const isOld = page === 'chatgpt';
    await using chat = await stage.chat(page, isOld ? { layout: 'old' } : {});
    await chat.startAddress(testBookmarklet({ origin: chat.origin, selectors: selectorsOf(page) }, script));
    await chat.panel.says(of);
    const before = await chat.panel.text();
    expect(before).toMatch(
      isOld ? /✓ composerSelector 2 of 2 matches 1 element, visible/ : /✓ composerSelector 1 of 1 matches 1 element/,
    );
    expect(before).toContain('– assistant_turnNothing matches. It shows with the first answer');
    expect(before).not.toContain('this page is');

    await ask(chat, composer, send);
    await chat.panel.says(/✓ assistant_turnSelector \d of \d matches 1 element, visible/);
    // Frames surround what was found, with the name of the role, and cannot be clicked.
    const frame = await chat.panel.find(({ localName, children }) =>
      Boolean(
        localName === 'div' &&
          children?.[0]?.localName === 'span' &&
          children[0].children?.[0]?.nodeValue === 'composer',
      ),
    );
    expect(frame).toBeDefined();
    expect(await chat.evaluate<number>('document.querySelectorAll("eval752-panel").length')).toBe(2);

    await chat.panel.click('Close');
    expect(await chat.evaluate<number>('document.querySelectorAll("eval752-panel").length')).toBe(0);
    expect(await chat.sent()).toHaveLength(1);
    expect(chat.noise()).toEqual([]);
  });
});

test('it reports invalid selectors, hidden elements, a composer that is not editable, and a page that the pack is not for', async () => {
  await using chat = await stage.chat('custom');
  await chat.evaluate(`document.querySelector('.model-name').hidden = true`);
  const selectors: Selectors = {
    ...customSelectors,
    composer: ['.new-conversation'],
    busy: ['::nothing('],
    done: ['body *'],
    model_label: ['.nowhere', '.model-name'],
    assistant_turn: [],
  };
  await chat.session.send('Runtime.evaluate', {
    expression: testScript({ origin: 'https://chat.example.com', selectors }, script),
  });
  await chat.panel.says(
    '– composerSelector 1 of 1 matches 1 element, visible: .new-conversation. It can’t be written to.',
  );
  const text = await chat.panel.text();
  expect(text).toContain(`The pack is for https://chat.example.com, and this page is ${chat.origin}`);
  expect(text).toContain('– busy“::nothing(” is not a valid CSS selector.');
  expect(text).toContain('– model_labelSelector 2 of 2 matches 1 element, 0 visible: .model-name');
  expect(text).toContain('– assistant_turnNo selector, and one is needed.');
  expect(text).toMatch(/✓ doneSelector 1 of 1 matches \d+ elements, \d+ visible/);
  // Started again: one panel, not two.
  await chat.startAddress(testBookmarklet({ origin: chat.origin, selectors }, script));
  await chat.panel.says('Selector test');
  expect(await chat.evaluate<number>('document.querySelectorAll("eval752-panel").length')).toBe(2);
  expect(await chat.sent()).toEqual([]);
  expect(chat.noise()).toEqual([]);
});

test('it is small, plain ASCII and without unsafe sinks', () => {
  expect(unsafeSinks(script)).toEqual([]);
  expect(script).toMatch(/^__WAYMARK_TEST__=>\{[\n -~]*\}$/);
  expect(testBookmarklet({ origin: '', selectors: presets.chatgpt.selectors }, script).length).toBeLessThan(16_000);
});
