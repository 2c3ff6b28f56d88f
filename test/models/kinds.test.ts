import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { itemSchema } from '../../src/cases/index.ts';
import { judgeItem } from '../../src/graders/index.ts';
import {
  askAboutImage,
  type CallContext,
  CallFailure,
  completeItem,
  generate,
  type ModelChoice,
  openModel,
  systemContext,
} from '../../src/models/index.ts';
import { pinnedFetch } from '../../src/net/index.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

const KEY = 'sk-test-secret-key-123';
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];
/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const server: ModelServer = await startModelServer({ apiKey: KEY });
afterAll(() => server[Symbol.asyncDispose]());
let called: string[] = [];
beforeEach(() => {
  server.reset();
  called = [];
});

/** Every host is the test server: the addresses that are called by default can be looked at. */
function context(change: Partial<CallContext> = {}): CallContext {
  return {
    ...systemContext(new AbortController().signal, () => LOOPBACK, { attempts: 1, timeoutMs: 20_000 }),
    env: { OPENAI_API_KEY: KEY, ANTHROPIC_API_KEY: KEY, GOOGLE_GENERATIVE_AI_API_KEY: KEY, OTHER_KEY: KEY },
    date: () => new Date('2026-11-01T00:00:00Z'),
    fetch: (url, request, addresses) => {
      called.push(url);
      return pinnedFetch(`${server.origin}${new URL(url).pathname}`, request, addresses);
    },
    ...change,
  };
}

const kinds = [
  { kind: 'openai', at: 'https://api.openai.com/v1/responses', protocol: 'responses' },
  { kind: 'anthropic', at: 'https://api.anthropic.com/v1/messages', protocol: 'messages' },
  {
    kind: 'google',
    at: 'https://generativelanguage.googleapis.com/v1beta/models/echo:generateContent',
    protocol: 'generateContent',
  },
  { kind: 'openai-compatible', at: 'https://vllm.example/v1/chat/completions', protocol: 'chat' },
  { kind: 'ollama', at: 'http://127.0.0.1:11434/api/chat', protocol: 'ollama' },
] as const;

type Kind = (typeof kinds)[number]['kind'];
const choiceOf = (kind: Kind, model: string): ModelChoice => ({
  kind,
  model,
  baseUrl: kind === 'openai-compatible' ? 'https://vllm.example/v1' : undefined,
  // The others have a usual variable.
  keyEnv: kind === 'openai-compatible' || kind === 'ollama' ? 'OTHER_KEY' : undefined,
});

describe.each(kinds)('$kind', ({ kind, at, protocol }) => {
  const open = (model: string, change: Partial<CallContext> = {}) => openModel(choiceOf(kind, model), context(change));
  const ask = async (model: string, change: Partial<CallContext> = {}) =>
    generate(await open(model, change), { messages: [{ role: 'user', content: 'Hello there.' }] });

  test('is called at its own address by its own protocol, with key, instructions and settings', async () => {
    const reply = await generate(await open('echo'), {
      instructions: 'Be short.',
      messages: [{ role: 'user', content: 'Hello there.' }],
      temperature: 0.5,
      maxOutputTokens: 99,
    });
    expect(called).toEqual([at]);
    expect(reply).toMatchObject({ text: 'Hello there.', finishReason: 'stop', attempts: 1, warnings: [] });
    expect(server.calls).toMatchObject([
      {
        protocol,
        model: 'echo',
        messages: [
          { role: 'system', content: 'Be short.' },
          { role: 'user', content: 'Hello there.' },
        ],
        temperature: 0.5,
        maxTokens: 99,
        hasFormat: false,
      },
    ]);
  });

  test('shows a picture to the model', async () => {
    await generate(await open('echo'), {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: PNG },
          ],
        },
      ],
    });
    expect(server.calls[0]?.messages).toEqual([
      { role: 'user', content: 'What is this?', images: [PNG.toString('base64')] },
    ]);
  });

  test('never fetches the address of a picture', async () => {
    const messages = [
      {
        role: 'user' as const,
        content: [{ type: 'file' as const, mediaType: 'image/png', data: new URL('http://169.254.169.254/x.png') }],
      },
    ];
    await expect(generate(await open('echo'), { messages })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'A message holds an address in place of a picture.',
    });
    expect(called).toEqual([]);
  });

  test('counts tokens as it is told, and knows nothing else', async () => {
    server.answer('counted', () => ({ text: 'Yes.', tokens: { input: 105, cached: 60, output: 20, reasoning: 15 } }));
    const { usage } = await ask('counted');
    const all = { inputTokens: 105, outputTokens: 20, cachedInputTokens: 60, reasoningTokens: 15 };
    const { cachedInputTokens, reasoningTokens, ...sums } = all;
    // The libraries of these two do not tell the name that the reply has.
    const model = kind === 'ollama' || kind === 'google' ? 'counted' : 'counted-2026-01-01';
    const expected =
      kind === 'ollama'
        ? sums
        : kind === 'anthropic'
          ? { ...sums, cachedInputTokens }
          : { ...sums, cachedInputTokens, reasoningTokens };
    expect(usage).toEqual({ model, ...expected });
  });

  test('without the right key, and with a model that is not there, is no use', async () => {
    const env = { OPENAI_API_KEY: 'x', ANTHROPIC_API_KEY: 'x', GOOGLE_GENERATIVE_AI_API_KEY: 'x', OTHER_KEY: 'x' };
    await expect(ask('echo', { env })).rejects.toMatchObject({
      code: 'key_refused',
      fault: 'usage',
      attempts: 1,
    });
    await expect(ask('no-such-model')).rejects.toMatchObject({ code: 'model_not_found', status: 404 });
    called = [];
    await expect(ask('echo', { env: {} })).rejects.toMatchObject({ code: 'key_missing', attempts: 0 });
    expect(called).toEqual([]);
  });

  test.each([
    ['always-429', 'rate_limited', 3],
    ['always-500', 'server_error', 3],
    ['malformed', 'bad_reply', 3],
    ['html', 'bad_reply', 3],
    ['wrong-shape', 'bad_reply', 3],
    ['truncated', 'network', 3],
    ['reset', 'network', 3],
    ['endless', 'reply_too_large', 1],
    ['redirect', 'redirect_refused', 1],
    ['tattler', 'invalid_request', 1],
  ])('%s fails as %s after %d requests, and says no key', async (model, code, attempts) => {
    const slept: number[] = [];
    const failure = await ask(model, { sleep: async (ms) => void slept.push(ms), limits: { attempts: 3 } }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(failure).toBeInstanceOf(CallFailure);
    expect(failure).toMatchObject({ code, attempts });
    expect([called.length, slept.length]).toEqual([attempts, attempts - 1]);
    const { message, raw, cause } = failure as CallFailure;
    expect(`${message} ${raw ?? ''}`).not.toContain(KEY);
    expect(cause).toBeUndefined();
  });

  test('is tried again after a 429 and a 503', async () => {
    const reply = await ask('flaky', { sleep: async () => undefined, limits: { attempts: 3 } });
    expect(reply).toMatchObject({ text: 'Hello there.', attempts: 3 });
  });

  test('that does not answer is given up in time, and at once when the work is stopped', async () => {
    const limits = { attempts: 1, timeoutMs: 200 };
    await expect(ask('hang', { limits })).rejects.toMatchObject({
      code: 'timeout',
      message: 'No reply within 200 ms.',
    });
    const stop = new AbortController();
    const asked = ask('hang', { signal: stop.signal, limits: { timeoutMs: 60_000 } });
    await expect.poll(() => server.count('hang')).toBe(2);
    stop.abort(new Error('drained'));
    await expect(asked).rejects.toThrow('drained');
  });

  test('at an address that is refused is not called', async () => {
    const assertPublicUrl = (): never => {
      throw new Error('The address is link-local.');
    };
    await expect(ask('echo', { assertPublicUrl })).rejects.toMatchObject({
      code: 'address_refused',
      message: 'The address is link-local.',
      attempts: 0,
    });
    expect(called).toEqual([]);
  });

  test('grades as a judge, asked for JSON', async () => {
    const item = itemSchema.parse({ id: 'a', type: 'judge', prompt_text: 'Why?', criteria: 'Scattering.' });
    const ask = (model: string) =>
      judgeItem({ item, response: 'Because.' }, { id: 'p', ...choiceOf(kind, model), prompt: '' } as never, context());
    expect(await ask('judge-1')).toMatchObject({ verdict: 'pass', judge: { calls: 1, reasked: false } });
    expect(server.calls).toMatchObject([{ hasFormat: true, temperature: 0 }]);
    expect(JSON.stringify(server.calls[0]?.body)).toContain('"enum":[0,1,null]');
    // What it says is neither repaired nor asked for again behind our back.
    // Arguments of a tool, which is how Anthropic gives JSON, are JSON always.
    const raw = kind === 'anthropic' ? '{"score":0.5,"reason":"Partly."}' : '{"score":1,"reason":"Cut';
    server.answer('bad', () => ({ text: raw }));
    expect(await ask('bad')).toMatchObject({ verdict: 'error', judge: { calls: 2, reasked: true, raw } });
    // ai-sdk-ollama makes up a verdict for a model that says nothing, unless it is told not to.
    expect(await ask('silent')).toMatchObject({ verdict: 'error', judge: { calls: 2 } });
    expect([server.count('bad'), server.count('silent')]).toEqual([2, 2]);
  });

  test('says what a model refuses as a reply, or as no text', async () => {
    const { text, finishReason } = await ask('refuser');
    const isTold = ['openai', 'openai-compatible', 'ollama'].includes(kind);
    expect(text).toBe(isTold ? 'I cannot help with that.' : '');
    expect(finishReason).toBe(kind === 'ollama' ? 'stop' : 'content-filter');
  });
});

test('replies are not stored at OpenAI', async () => {
  await generate(await openModel({ kind: 'openai', model: 'echo' }, context()), {
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  expect(server.calls[0]?.body['store']).toBe(false);
});

test.each([
  ['openai', 'https://proxy.example/v1', 'https://proxy.example/v1/chat/completions'],
  ['anthropic', 'https://api.anthropic.com/v1/', 'https://api.anthropic.com/v1/messages'],
  ['google', 'https://generativelanguage.googleapis.com/v1beta/openai', kinds[2].at],
  ['ollama', 'http://127.0.0.1:11434/v1', kinds[4].at],
  ['ollama', 'http://127.0.0.1:11434/v1/', kinds[4].at],
] as const)('a provider of kind %s that was stored with %s is called at %s', async (kind, baseUrl, url) => {
  const stored = { id: 'p', kind, baseUrl, keyEnv: 'OTHER_KEY' };
  const done = await completeItem({ prompt_text: 'Hi.', model: 'echo' }, stored, context());
  expect(done).toMatchObject({ status: 'answered', response: 'Hi.' });
  expect(called).toEqual([url]);
});

test('a provider without a key is sent none, whatever the environment holds', async () => {
  await using open = await startModelServer();
  process.env['OPENAI_API_KEY'] = 'sk-not-yours';
  process.env['ANTHROPIC_API_KEY'] = 'sk-not-yours';
  try {
    for (const { kind } of kinds) {
      const headers: Record<string, string>[] = [];
      const keyless = {
        id: 'p',
        kind,
        baseUrl: kind === 'openai-compatible' ? 'https://vllm.example/v1' : '',
        keyEnv: null,
      };
      const done = await completeItem(
        { prompt_text: 'Hi.', model: 'echo' },
        keyless,
        context({
          fetch: (url, request, addresses) => {
            headers.push(request.headers as Record<string, string>);
            return pinnedFetch(`${open.origin}${new URL(url).pathname}`, request, addresses);
          },
        }),
      );
      expect(done.status).toBe('answered');
      expect(JSON.stringify(headers)).not.toMatch(/authorization|api-key|sk-not-yours/i);
    }
  } finally {
    delete process.env['OPENAI_API_KEY'];
    delete process.env['ANTHROPIC_API_KEY'];
  }
});

test('a setting that the provider does not support is a warning with the reply', async () => {
  server.answer('gpt-5', () => ({ text: 'Hi.' }));
  const { warnings } = await generate(await openModel({ kind: 'openai', model: 'gpt-5' }, context()), {
    messages: [{ role: 'user', content: 'Hi.' }],
    temperature: 0,
  });
  expect(warnings).toEqual([expect.stringMatching(/^temperature is not supported: .*\.$/)]);
});

test('a known model has a cost, with the table that it is from', async () => {
  server.answer('gpt-5', () => ({
    text: 'Hi.',
    tokens: { input: 1_000_000, cached: 0, output: 100_000, reasoning: 0 },
  }));
  const { usage } = await generate(await openModel({ kind: 'openai', model: 'gpt-5' }, context()), {
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  expect(usage).toMatchObject({ costUsd: 2.25, priceTable: '@pydantic/genai-prices 0.1.8' });
});

test('every request, retries too, waits for its turn', async () => {
  let turns = 0;
  const turn = async () => {
    turns += 1;
  };
  const change = { turn, sleep: async () => undefined, limits: { attempts: 3 } };
  await generate(await openModel(choiceOf('openai-compatible', 'flaky'), context(change)), {
    messages: [{ role: 'user', content: 'Hi.' }],
  });
  expect(turns).toBe(3);
});

test('a question about a picture is answered in a word, or left unknown with the reason', async () => {
  const picture = { data: PNG, mediaType: 'image/png' };
  server.answer('eyes', ({ messages }) => ({ text: messages.at(-1)?.images.length === 1 ? ' yes\n' : 'no' }));
  const ask = async (model: string) =>
    askAboutImage(await openModel(choiceOf('anthropic', model), context()), picture, 'Is the cart empty?');
  expect(await ask('eyes')).toMatchObject({ answer: 'yes', usage: { inputTokens: expect.any(Number) } });
  expect(server.calls[0]).toMatchObject({ temperature: 0, prompt: 'Is the cart empty?' });
  expect(await ask('silent')).toMatchObject({ answer: undefined, reason: 'The model replied with no text.' });
  expect(await ask('always-500')).toEqual({
    answer: undefined,
    reason: 'The model could not be asked: The endpoint replied 500: The server had an error.',
    usage: undefined,
  });
});
