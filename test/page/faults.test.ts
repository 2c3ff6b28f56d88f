import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ChatPage, customSelectors } from '../../fixtures/chat/pages.ts';
import { ITEM_ERROR_CODES, type ItemErrorCode, type RuntimePack } from '../../src/capture/formats.ts';
import { readZip } from './read-zip.ts';
import { impatient, Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

const prompts = ['What is 1 + 1?', 'What is 2 + 2?', 'What is 3 + 3?'];
const answers = ['1 + 1 = 2', '2 + 2 = 4', '3 + 3 = 6'];

interface Case {
  readonly fault: string;
  readonly page: ChatPage;
  readonly query?: Record<string, string>;
  readonly pack?: Partial<RuntimePack>;
  /** By item; `null` is an answer. Shorter than three: the run ended early. */
  readonly codes: (ItemErrorCode | null)[];
  readonly message: string | RegExp;
  /** How many messages the page received. */
  readonly sent: number;
}

const failing: Case[] = [
  {
    fault: 'never-start',
    page: 'chatgpt',
    codes: [null, 'no_response_start', 'no_response_start'],
    message: 'No answer began.',
    sent: 3,
  },
  {
    fault: 'never-stop',
    page: 'custom',
    codes: [null, 'response_timeout', 'response_timeout'],
    message: 'The answer was not finished after 1500 ms.',
    sent: 3,
    pack: { settings: { item_timeout_ms: 1500 } },
  },
  {
    fault: 'rate-limit',
    page: 'chatgpt',
    codes: [null, 'rate_limited'],
    message: /^The page says: “You’ve reached your limit/,
    sent: 2,
  },
  {
    fault: 'rate-limit',
    page: 'gemini',
    codes: [null, 'rate_limited'],
    message: /^The page says: “You’ve reached your limit/,
    sent: 2,
  },
  {
    fault: 'logout',
    page: 'gemini',
    codes: [null, 'not_logged_in'],
    message: 'The page says: “Your session has expired. Log in to continue.”',
    sent: 2,
  },
  {
    fault: 'notice',
    page: 'custom',
    codes: [null, 'site_notice', 'site_notice'],
    message: 'No answer began, and the page says: “Something went wrong while generating the response.”',
    sent: 3,
  },
  {
    fault: 'empty',
    page: 'chatgpt',
    codes: [null, 'empty_response', 'empty_response'],
    message: 'The assistant’s turn ended without text.',
    sent: 3,
  },
  {
    fault: 'empty',
    page: 'custom',
    codes: [null, 'empty_response', 'empty_response'],
    message: 'The assistant’s turn ended without text.',
    sent: 3,
  },
  {
    fault: 'send-disabled',
    page: 'gemini',
    codes: [null, 'send_disabled', 'send_disabled'],
    message: 'The send button stayed disabled.',
    sent: 1,
  },
  {
    fault: 'mangle',
    page: 'chatgpt',
    codes: [null, 'composer_mismatch', 'composer_mismatch'],
    message: 'The composer holds another text than the prompt.',
    sent: 1,
  },
  {
    fault: 'mangle',
    page: 'custom',
    codes: [null, 'composer_mismatch', 'composer_mismatch'],
    message: 'The composer holds another text than the prompt.',
    sent: 1,
  },
  {
    fault: 'lost-composer',
    page: 'custom',
    codes: [null, 'composer_not_found', 'composer_not_found'],
    message: 'The new chat has no composer that can be written to.',
    sent: 1,
  },
  {
    fault: 'stuck-chat',
    page: 'gemini',
    codes: [null, 'new_chat_failed', 'new_chat_failed'],
    message: 'The chat did not become empty after a click on “new chat”.',
    sent: 1,
  },
  {
    fault: 'slow-send',
    page: 'custom',
    query: { late: '1200' },
    codes: [null, 'send_not_confirmed', 'send_not_confirmed'],
    message: 'Nothing shows that the message was sent; it was not sent again.',
    sent: 1,
    pack: { settings: { send_timeout_ms: 300 } },
  },
];

describe.concurrent('a fault ends in its code, and the rest is saved', () => {
  test.each(failing)('$fault on $page: $codes', async ({ fault, page, query, pack, codes, message, sent }) => {
    await using chat = await stage.chat(page, { fault, from: '2', ...query });
    const settings = { ...impatient, ...pack?.settings };
    const { manifest, results } = await chat.run(chat.pack(prompts, { ...pack, settings }));
    expect(results.map(({ error }) => error?.code ?? null)).toEqual(codes);
    expect(results[0]?.response).toBe(answers[0]);
    expect(results[1]?.error?.message).toMatch(message);
    expect(manifest).toMatchObject({
      item_count: codes.length,
      error_count: codes.filter((code) => code !== null).length,
    });
    expect(await chat.sent()).toEqual(prompts.slice(0, sent));

    const [file] = await chat.saved();
    expect(file?.name).toMatch(codes.length < 3 ? /-partial\.eval752\.zip$/ : /\dZ\.eval752\.zip$/);
    const lines = readZip(file?.bytes ?? Buffer.alloc(0))
      .get('results.jsonl')
      ?.trim()
      .split('\n');
    expect(lines?.map((line) => JSON.parse(line))).toEqual(results);
    expect(chat.noise()).toEqual([]);
  });
});

interface Harmless {
  readonly fault: string;
  readonly page: ChatPage;
  readonly query?: Record<string, string>;
  readonly flag?: string;
}

const harmless: Harmless[] = [
  { fault: 'rerender', page: 'chatgpt' },
  { fault: 'rerender', page: 'chatgpt', query: { layout: 'old' } },
  { fault: 'rerender', page: 'gemini' },
  { fault: 'rerender', page: 'custom' },
  { fault: 'virtual', page: 'chatgpt' },
  // Longer than the quiet time: only the done marker shows the end.
  { fault: 'late-append', page: 'chatgpt', query: { late: '600' } },
  // Within the quiet time.
  { fault: 'late-append', page: 'custom', query: { late: '150' } },
  // Longer than the quiet time, but the page is visibly busy.
  { fault: 'pause', page: 'gemini', query: { late: '600' } },
  { fault: 'pause', page: 'custom', query: { late: '600' } },
  { fault: 'blink', page: 'custom', query: { late: '600' } },
  { fault: 'slow-send', page: 'custom', query: { late: '700' } },
  { fault: 'slow-send', page: 'chatgpt', query: { late: '700' } },
  { fault: 'stuck-busy', page: 'gemini', flag: 'busy_stuck' },
  { fault: 'stuck-busy', page: 'chatgpt', flag: 'busy_stuck' },
];

describe.concurrent('a page that is merely odd is read rightly, and nothing is sent twice', () => {
  test.each(harmless)('$fault on $page $query', async ({ fault, page, query, flag }) => {
    await using chat = await stage.chat(page, { fault, ...query });
    const { manifest, results } = await chat.run(chat.pack(prompts));
    expect(results.map(({ error }) => error)).toEqual([null, null, null]);
    expect(results.map(({ response }) => response)).toEqual(answers);
    expect(manifest.flags).toEqual(flag && { i1: flag, i2: flag, i3: flag });
    expect(await chat.sent()).toEqual(prompts);
    expect(await chat.clicks()).toBe(3);
    expect(chat.noise()).toEqual([]);
  });
});

describe.concurrent('in one long conversation', () => {
  // One word, rendered at once, and the same word again: with old turns in the document, or with a busy mark, it is a new answer.
  test.each([
    ['', []],
    ['', customSelectors.busy],
    ['virtual', customSelectors.busy],
    ['rerender', customSelectors.busy],
  ])('the same answer twice is two answers (%s, busy %j)', async (fault, busy) => {
    await using chat = await stage.chat('custom', { fault });
    const pack = chat.pack(['The capital of Japan?', 'And the capital of Japan?', 'What is 2 + 2?']);
    const { results } = await chat.run({ ...pack, selectors: { ...pack.selectors, new_chat: [], busy } });
    expect(results.map(({ response, error }) => error ?? response)).toEqual(['Tokyo', 'Tokyo', '2 + 2 = 4']);
    expect(await chat.sent()).toHaveLength(3);
  });

  test.each(['', 'virtual', 'rerender'])(
    'the last answer is not taken for the new one by a quiet time alone (%s)',
    async (fault) => {
      await using chat = await stage.chat('custom', { fault, think: '600' });
      const pack = chat.pack(prompts);
      const { results } = await chat.run({ ...pack, selectors: { ...pack.selectors, new_chat: [], busy: [] } });
      expect(results.map(({ response, error }) => error ?? response)).toEqual(answers);
    },
  );
});

test('a message without visible confirmation is not sent again, and arrives once', async () => {
  await using chat = await stage.chat('chatgpt', { fault: 'slow-send', late: '1500' });
  const { results } = await chat.run(chat.pack(prompts.slice(0, 1), { settings: { send_timeout_ms: 400 } }));
  expect([results[0]?.error?.code, await chat.sent()]).toEqual(['send_not_confirmed', []]);
  await vi.waitFor(async () => expect(await chat.sent()).toEqual(prompts.slice(0, 1)), { timeout: 30_000 });
  expect(await chat.clicks()).toBe(1);
});

test('a done marker that never appears is flagged, and the answer is kept', async () => {
  await using chat = await stage.chat('chatgpt');
  const pack = chat.pack(prompts.slice(0, 1));
  const { manifest, results } = await chat.run({
    ...pack,
    selectors: { ...pack.selectors, done: ['.renamed-by-the-site'] },
  });
  expect([results[0]?.response, results[0]?.error]).toEqual([answers[0], null]);
  expect(manifest.flags).toEqual({ i1: 'done_missing' });
});

test('every error code of the format except “aborted” is caused by a fault here', () => {
  const reached = new Set(failing.flatMap(({ codes }) => codes));
  expect(ITEM_ERROR_CODES.filter((code) => !reached.has(code))).toEqual(['aborted']);
});
