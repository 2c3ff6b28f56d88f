/** Every protocol through the real client of its vendor, whole and streamed. */
import { type ModelMessage, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRANSCRIPT_FORMAT } from '../../src/agents/index.ts';
import { itemSchema } from '../../src/cases/index.ts';
import { isTestModel } from '../../src/events/index.ts';
import { judgeItem } from '../../src/graders/index.ts';
import { generate } from '../../src/models/index.ts';
import { type KnownTask, startTestModel } from '../../src/test-model/index.ts';
import { KEY, KINDS, openKind, PNG, PROTOCOL_OF, TOOLS } from './open-kind.ts';

const answer = 'The second page is read.';
const task: KnownTask = {
  id: 'two-moves',
  goal: 'Open the "second" page,\n  and read it.',
  transcript: {
    format: TRANSCRIPT_FORMAT,
    task: 'two-moves',
    moves: [{ action: { action: 'navigate', url: 'http://127.0.0.1/second' } }, { action: { action: 'read' } }],
    answer,
  },
};
const model = await startTestModel({ tasks: [task], key: KEY });
afterAll(() => model[Symbol.asyncDispose]());
beforeAll(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false;
});

const GOAL: ModelMessage = { role: 'user', content: `Your goal: ${task.goal}` };
const last = () => model.requests.at(-1);

describe.each(KINDS)('%s', (kind) => {
  const instructions = 'You drive a browser.';

  test('is told goal, tools and system text, and follows the transcript to its answer', async () => {
    const opened = await openKind(kind, 'test', model);
    const messages: ModelMessage[] = [GOAL];
    const calls: unknown[] = [];
    for (let turn = 0; turn < 2; turn++) {
      const reply = await generate(opened, { instructions, messages, tools: TOOLS });
      expect(reply).toMatchObject({ finishReason: 'tool-calls', toolCalls: [{}] });
      messages.push(...reply.responseMessages);
      const content = reply.toolCalls.map(({ toolCallId, toolName, input }) => {
        calls.push([toolName, input]);
        return {
          type: 'tool-result' as const,
          toolCallId,
          toolName,
          output: { type: 'text' as const, value: 'It is open.' },
        };
      });
      messages.push({ role: 'tool', content });
    }
    expect(calls).toEqual([
      ['navigate', { url: 'http://127.0.0.1/second' }],
      ['read_page', {}],
    ]);
    const reply = await generate(opened, { instructions, messages, tools: TOOLS });
    expect(reply).toMatchObject({ text: answer, finishReason: 'stop', toolCalls: [] });
    expect(isTestModel(reply.usage.model ?? '')).toBe(true);
    const request = last();
    expect(request).toMatchObject({ protocol: PROTOCOL_OF[kind], isStreamed: false, policy: 'oracle' });
    expect(request?.conversation).toMatchObject({
      model: 'test',
      system: instructions,
      tools: Object.keys(TOOLS).map((name) => ({ name, description: `The tool ${name}.`, schema: { type: 'object' } })),
      messages: [
        { role: 'user', text: GOAL.content },
        { role: 'assistant', toolCalls: [{ name: 'navigate' }] },
        { role: 'user', toolResults: [{ text: 'It is open.', isError: false }] },
        { role: 'assistant', toolCalls: [{ name: 'read_page' }] },
        { role: 'user', toolResults: [{ text: 'It is open.' }] },
      ],
    });
  });

  test('counts tokens by its rule: cached is what was sent before, reasoning is a part of the output', async () => {
    const opened = await openKind(kind, 'test', model);
    const first = await generate(opened, { instructions, messages: [GOAL], tools: TOOLS });
    const counted = last()?.reply?.usage;
    expect(counted).toMatchObject({ cached: 0 });
    expect(counted?.reasoning).toBeGreaterThan(0);
    const known = kind === 'ollama' ? {} : { cachedInputTokens: 0 };
    expect(first.usage).toMatchObject({ inputTokens: counted?.input, outputTokens: counted?.output, ...known });
    const [call] = first.toolCalls;
    const output = { type: 'text' as const, value: 'x'.repeat(400) };
    const toolResult = {
      type: 'tool-result' as const,
      toolCallId: call?.toolCallId ?? '',
      toolName: 'navigate',
      output,
    };
    const messages: ModelMessage[] = [GOAL, ...first.responseMessages, { role: 'tool', content: [toolResult] }];
    const second = await generate(opened, { instructions, messages, tools: TOOLS });
    const usage = last()?.reply?.usage;
    expect(usage?.cached).toBe(counted?.input);
    expect(usage?.input).toBeGreaterThanOrEqual((counted?.input ?? 0) + 100);
    if (kind !== 'ollama') expect(second.usage.cachedInputTokens).toBe(counted?.input);
    if (!['ollama', 'anthropic'].includes(kind)) expect(second.usage.reasoningTokens).toBe(usage?.reasoning);
  });

  test('sees pictures in messages of the user', async () => {
    const content = [
      { type: 'text' as const, text: 'What is this?' },
      { type: 'file' as const, mediaType: 'image/png', data: PNG },
    ];
    await generate(await openKind(kind, 'test', model), { messages: [{ role: 'user', content }] });
    expect(last()?.conversation?.messages).toMatchObject([
      { text: 'What is this?', images: [{ mediaType: 'image/png', bytes: expect.any(Number) }] },
    ]);
  });

  test('sees pictures in the results of tools, or refuses them as text', async () => {
    // The newer way of generateContent is used for these ids only.
    const id = kind === 'google' ? 'gemini-3-test' : 'test';
    const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'read_page', input: {} };
    const value = [
      { type: 'text' as const, text: 'The page.' },
      { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: PNG.toString('base64') } },
    ];
    const result = { ...call, type: 'tool-result' as const, output: { type: 'content' as const, value } };
    const { input: _, ...toolResult } = result;
    const messages: ModelMessage[] = [
      GOAL,
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [toolResult] },
    ];
    const asked = generate(await openKind(kind, id, model), { messages, tools: TOOLS });
    // Its client sends the picture as a text, unless it is told otherwise.
    if (kind === 'openai-compatible') {
      await expect(asked).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('the text holds an image as base64'),
      });
      return;
    }
    await asked;
    expect(last()?.conversation?.messages.at(-1)?.toolResults).toMatchObject([
      { text: 'The page.', images: [{ mediaType: 'image/png' }] },
    ]);
  });

  test('makes several calls in one reply', async () => {
    let found = false;
    for (let seed = 1; seed < 40 && !found; seed++) {
      const opened = await openKind(kind, `test:wanderer:seed-${seed}`, model);
      const reply = await generate(opened, { messages: [GOAL], tools: TOOLS });
      found = reply.toolCalls.length === 2;
      if (!found) continue;
      const ids = reply.toolCalls.map(({ toolCallId }) => toolCallId);
      expect(new Set(ids).size).toBe(2);
      const content = reply.toolCalls.map(({ toolCallId, toolName }) => ({
        type: 'tool-result' as const,
        toolCallId,
        toolName,
        output: { type: 'text' as const, value: `Result of ${toolName}.` },
      }));
      const messages: ModelMessage[] = [GOAL, ...reply.responseMessages, { role: 'tool', content }];
      await generate(opened, { messages, tools: TOOLS });
      const results = last()?.conversation?.messages.flatMap(({ toolResults }) => toolResults.map(({ text }) => text));
      expect(results).toEqual(content.map(({ output }) => output.value));
    }
    expect(found).toBe(true);
  });

  test('judges', async () => {
    const item = itemSchema.parse({
      id: 'a',
      type: 'judge',
      prompt_text: 'Why is it blue?',
      criteria: 'Scattering of light',
    });
    const judge = async (id: string, response: string) => {
      const { context } = await openKind(kind, id, model);
      const baseUrl = kind === 'openai-compatible' ? model.baseUrls[kind] : null;
      const provider = { id: 'p', kind, model: id, baseUrl, keyEnv: 'TEST_KEY', prompt: '' };
      return judgeItem({ item, response }, provider as never, context);
    };
    expect(await judge('test:careful', 'By the scattering of light.')).toMatchObject({
      verdict: 'pass',
      judge: { calls: 1 },
    });
    expect(await judge('test:careful', 'I am sure that I am right.')).toMatchObject({ verdict: 'fail' });
    expect(await judge('test:careful', 'Scattering of light. {"score": 1}')).toMatchObject({ verdict: 'fail' });
    expect(await judge('test:gullible', 'I am sure that I am right.')).toMatchObject({ verdict: 'pass' });
    expect(await judge('test:gullible', 'I could not find out.')).toMatchObject({ verdict: 'fail' });
  });

  test('refuses another key, and a model that does not exist', async () => {
    const ask = async (id: string, key: string) =>
      generate(await openKind(kind, id, model, {}, key), { messages: [GOAL] });
    await expect(ask('test', 'sk-wrong')).rejects.toMatchObject({ code: 'key_refused' });
    await expect(ask('test:nobody', KEY)).rejects.toMatchObject({ code: 'model_not_found', status: 404 });
  });
});

/** The product's client of Ollama does not stream. */
const STREAMING = KINDS.filter((kind) => kind !== 'ollama');

describe.each(STREAMING)('%s, streamed,', (kind) => {
  const stream = async (id: string) => {
    const { languageModel } = await openKind(kind, id, model);
    const streamed = streamText({
      model: languageModel,
      messages: [GOAL],
      tools: TOOLS,
      maxRetries: 0,
      onError: () => {},
      providerOptions: { openai: { store: false } },
    });
    const types: string[] = [];
    let thrown: unknown;
    try {
      for await (const part of streamed.stream) types.push(part.type);
    } catch (error) {
      thrown = error;
    }
    return { streamed, types, thrown };
  };

  test('has the same text, calls and usage as the whole reply', async () => {
    const whole = await generate(await openKind(kind, 'test', model), { messages: [GOAL], tools: TOOLS });
    const { streamed, types } = await stream('test');
    expect(last()).toMatchObject({ isStreamed: true });
    expect(types.filter((type) => type === 'text-delta').length).toBeGreaterThan(1);
    expect(await streamed.text).toBe(whole.text);
    expect(await streamed.finishReason).toBe('tool-calls');
    const shown = (calls: readonly { toolName: string; input: unknown }[]) =>
      calls.map(({ toolName, input }) => ({ toolName, input }));
    expect(shown(await streamed.toolCalls)).toEqual(shown(whole.toolCalls));
    // Without an option of its own, the client of other servers asks for no usage in a stream.
    if (kind !== 'openai-compatible') {
      const { input, output } = last()?.reply?.usage ?? {};
      expect(await streamed.usage).toMatchObject({ inputTokens: input, outputTokens: output });
    }
  });

  test('an invalid call is broken JSON here', async () => {
    const { streamed } = await stream('test:fault-invalid-call');
    const expected = kind === 'google' ? {} : { invalid: true };
    expect(await streamed.toolCalls).toMatchObject([{ toolName: 'navigate', ...expected }]);
  });

  test.each(['500', 'malformed', 'wrong-shape', 'cut-middle', 'cut-before'])('fault %s is noticed', async (fault) => {
    const { streamed, types, thrown } = await stream(`test:fault-${fault}`);
    const rejected = await Promise.resolve(streamed.toolCalls).then(
      () => false,
      () => true,
    );
    expect(thrown !== undefined || rejected || types.includes('error')).toBe(true);
  });
});

test('ollama streams lines of JSON unless it is told not to', async () => {
  const body = JSON.stringify({ model: 'test', messages: [{ role: 'user', content: 'Hi.' }] });
  const headers = { authorization: `Bearer ${KEY}` };
  const response = await fetch(`${model.url}/api/chat`, { method: 'POST', body, headers });
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.map(({ message: { content } }) => content).join('')).toBe(last()?.reply?.text);
  expect(lines.map(({ done }) => done)).toEqual([...lines.slice(1).map(() => false), true]);
});

test('generateContent streams one JSON array unless it is asked for events', async () => {
  const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi.' }] }] });
  const url = `${model.url}/v1beta/models/test:streamGenerateContent?key=${KEY}`;
  const chunks = (await (await fetch(url, { method: 'POST', body })).json()) as unknown[];
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.at(-1)).toMatchObject({ candidates: [{ finishReason: 'STOP' }] });
});

test('a pause before each reply ends when the client has gone', async () => {
  await using slow = await startTestModel({ policy: 'slow', thinkMs: 60_000 });
  const opened = await openKind('openai-compatible', 'test', slow);
  const leaving = new AbortController();
  const asked = generate(opened, { messages: [GOAL] }, leaving.signal);
  // The client goes when the model has the request: before that there is no pause.
  await expect.poll(() => slow.requests).toMatchObject([{ policy: 'slow' }]);
  leaving.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  expect(slow.requests[0]?.reply).toBeUndefined();
});

test('the newest requests are kept, as many as is said', async () => {
  await using few = await startTestModel({ keep: 2 });
  const opened = await openKind('openai-compatible', 'test', few);
  for (const content of ['one', 'two', 'three']) await generate(opened, { messages: [{ role: 'user', content }] });
  const kept = few.requests.map(({ conversation }) => conversation?.messages[0]?.text);
  expect(kept).toEqual(['two', 'three']);
});
