/** The agent of one model, in a real browser, with models that a test writes and with the test model. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { single } from '../../src/agents/index.ts';
import { isToolCall, isToolResult } from '../../src/events/index.ts';
import { readMessages } from '../../src/journal/index.ts';
import { outcomeClass } from '../../src/metrics/index.ts';
import { type CallLimits, openModel, systemContext } from '../../src/models/index.ts';
import { FAULT_NAMES, startTestModel } from '../../src/test-model/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { type Played, type PlayOptions, play, task } from '../support/stage.ts';
import { type MadeReply, madeModel } from './made-model.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const START = '/recovery/progress-positive';
const advance: MadeReply = {
  text: 'I go on.',
  calls: [{ name: 'interact', input: { action: 'click', selector: '#advance' } }],
};
const profile = profileOf('embedded');
const settings = { observe: 'text', contextTokens: 100_000 } as const;
const messagesOf = ({ folder }: Played) => readMessages(path.join(folder, 'messages.jsonl'));
const reasonOf = ({ of }: Played) => of('stop')[0]?.reason ?? '';

/** Plays replies one after the other; the last again and again. */
const replies = (...list: MadeReply[]) => {
  let next = 0;
  return madeModel(() => list[Math.min(next++, list.length - 1)] ?? {});
};

function playWith(model: ReturnType<typeof madeModel>, changes = {}, options: PlayOptions = {}) {
  return play(lab, task(lab, START, changes), single({ model, profile, settings }), options);
}

test('the trace of an attempt: what it was told and said, its calls with their pictures, its usage', async () => {
  const played = await playWith(replies(advance));
  expect(played.stop).toMatchObject({ status: 'passed' });
  const messages = await messagesOf(played);
  expect(messages.map(({ type }) => type)).toEqual([
    'user',
    ...Array.from({ length: 3 }, () => ['assistant', 'tool_call', 'tool_result']).flat(),
  ]);
  expect(messages[0]).toMatchObject({ content: expect.stringContaining('Goal: Do it.') });
  const calls = messages.filter(isToolCall).map(({ toolCallId }) => toolCallId);
  const results = messages.filter(isToolResult);
  expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls);
  for (const { screenshot } of results) expect(screenshot).toBeGreaterThan(0);
  expect(played.of('usage')).toHaveLength(3);
  expect(played.of('usage')[0]).toMatchObject({ role: 'agent', model: 'made', inputTokens: 100, outputTokens: 10 });
  expect(played.of('turn').map(({ phase, turn }) => `${phase} ${turn}`)).toEqual([
    ...['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3'],
  ]);
  expect(played.of('start')[0]?.agent).toMatchObject({ kind: 'single', config: { observe: 'text' } });
});

test('answering without a call means done, whatever the answer claims', async () => {
  const played = await playWith(replies({ text: 'I have arrived.' }));
  expect(played.stop).toMatchObject({ status: 'failed', answer: 'I have arrived.' });
  expect(played.of('tool_call').filter(({ by }) => by === 'agent')).toEqual([]);
});

test('the model is given the tools, and sees results and errors of its calls', async () => {
  const model = replies(
    { calls: [{ name: 'interact', input: { action: 'click', selector: '#no' } }] },
    { text: 'No.' },
  );
  await playWith(model);
  expect(model.asked[0]?.tools).toContain('interact');
  expect(model.asked[1]?.text).toContain('Error: ');
});

test('three replies in a row that are of no use end it as failed, with the reason; each is told to the model', async () => {
  const model = replies({});
  const played = await playWith(model);
  expect(played.stop.status).toBe('failed');
  expect(reasonOf(played)).toContain('3 replies of the model in a row could not be used');
  expect(model.asked).toHaveLength(3);
  expect(model.asked[2]?.text).toContain('Your reply was empty.');
});

test('two bad replies and a good one begin anew', async () => {
  const played = await playWith(replies({}, {}, advance, {}, {}, advance, advance));
  expect(played.stop.status).toBe('passed');
});

test.each<[string, MadeReply, string]>([
  ['an unknown tool', { calls: [{ name: 'jump' }] }, 'jump'],
  ['wrong arguments', { calls: [{ name: 'navigate', input: { address: 1 } }] }, 'arguments are wrong'],
  ['broken JSON', { calls: [{ name: 'navigate', input: '{"url": ' }] }, 'navigate'],
])('%s: told to the model once, never sent to the server', async (_, bad, words) => {
  const model = replies(bad, advance, advance, advance);
  const played = await playWith(model);
  expect(played.stop.status).toBe('passed');
  expect(played.result.steps).toBe(3);
  const told = model.asked[1]?.options.prompt.filter(({ role }) => role === 'tool') ?? [];
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).toContain(words);
});

test('old observations are left out when the conversation is full, and the trace says so', async () => {
  const read: MadeReply = { calls: [{ name: 'read_page' }] };
  const model = madeModel(({ turns }) => (turns < 9 ? read : { text: 'Done.' }));
  const settingsOfFew = { observe: 'text', contextTokens: 150 } as const;
  const agent = single({ model, profile, settings: settingsOfFew });
  const played = await play(lab, task(lab, START), agent);
  const notes = played
    .of('message')
    .filter(({ message }) => message.type === 'user')
    .slice(1);
  expect(notes.length).toBeGreaterThan(0);
  expect(JSON.stringify(notes[0]?.message)).toContain('left out: the conversation is near 150 tokens');
  expect(model.asked.at(-1)?.text).toContain('[left out: an observation of an earlier step]');
});

test('a cap on tokens ends it as max_steps', async () => {
  const played = await playWith(replies(advance), {}, { maxTokens: 150 });
  expect(played.stop).toMatchObject({ status: 'max_steps' });
  expect(reasonOf(played)).toContain('All 150 tokens were used');
});

describe('what the model sees', () => {
  test.each(['embedded', 'playwright', 'chrome-devtools'])('a picture after each call: %s', async (server) => {
    const read = { embedded: 'read_page', playwright: 'browser_snapshot' }[server] ?? 'take_snapshot';
    // chrome-devtools-mcp names its pages.
    const input = server === 'chrome-devtools' ? { pageId: 1 } : {};
    const model = replies({ calls: [{ name: read, input }] }, { text: 'Seen.' });
    const both = { observe: 'both', contextTokens: 100_000 } as const;
    const agent = single({ model, profile: profileOf(server), settings: both });
    const played = await play(lab, task(lab, START), agent, { server });
    const pictures = model.asked.map(({ options }) =>
      options.prompt.flatMap(({ role, content }) =>
        role === 'user' ? content.filter(({ type }) => type === 'file') : [],
      ),
    );
    expect(played.of('warning').filter(({ source }) => source === 'screenshot')).toEqual([]);
    expect(pictures.map(({ length }) => length)).toEqual([1, 2]);
    expect(pictures[1]?.[0]).toMatchObject({ mediaType: expect.stringMatching(/^image\//) });
    // The pictures are asked for by looks: the steps are the model's own.
    expect(played.result.steps).toBe(1);
  });
});

/** What each fault of the test model becomes. None of the provider's is counted as the agent's failure. */
const OUTCOMES: Record<(typeof FAULT_NAMES)[number], [outcome: string, words: string]> = {
  '429': ['adapter_error', 'The model could not be asked'],
  '429-without-retry-after': ['adapter_error', 'The model could not be asked'],
  '500': ['adapter_error', 'The model could not be asked'],
  timeout: ['adapter_error', 'No reply within'],
  'cut-before': ['adapter_error', 'The model could not be asked'],
  'cut-middle': ['adapter_error', 'The model could not be asked'],
  malformed: ['adapter_error', 'not JSON'],
  html: ['adapter_error', 'not JSON'],
  'wrong-shape': ['adapter_error', 'not a reply of its protocol'],
  'refused-key': ['adapter_error', 'The model could not be asked'],
  'context-overflow': ['failed', ''],
  empty: ['failed', '3 replies of the model in a row could not be used'],
  refusal: ['failed', ''],
  'invalid-call': ['failed', '3 replies of the model in a row could not be used'],
  'wrong-arguments': ['failed', '3 replies of the model in a row could not be used'],
  'unknown-tool': ['failed', '3 replies of the model in a row could not be used'],
  'too-large': ['adapter_error', 'The model could not be asked'],
};

describe('faults of a provider and of a model', () => {
  const limits: Partial<CallLimits> = { attempts: 2, timeoutMs: 1_500, backoffMs: 1, maxBackoffMs: 2 };
  const KEY = 'sk-secret-of-the-test-0123456789';

  test.each(FAULT_NAMES)('%s', async (name) => {
    await using server = await startTestModel({ faults: [{ name }] });
    const context = systemContext(new AbortController().signal, () => [{ address: '127.0.0.1', family: 4 }], limits);
    const baseUrl = server.baseUrls['openai-compatible'];
    const choice = { kind: 'openai-compatible', model: 'test', baseUrl, keyEnv: 'TEST_KEY' } as const;
    const model = await openModel(choice, { ...context, env: { TEST_KEY: KEY } });
    const played = await play(lab, task(lab, START), single({ model, profile, settings }));
    const { status, cause, reason } = played.of('stop')[0] ?? { status: 'passed' as const, reason: '' };
    const [outcome, words] = OUTCOMES[name];
    expect({ outcome: outcomeClass(status, cause), reason }).toEqual({
      outcome,
      reason: expect.stringContaining(words),
    });
    expect(JSON.stringify(played.events)).not.toContain(KEY);
  });
});

describe('time', () => {
  const time = { maxDurationMs: 1_500 };

  test('that runs out in the middle of a model’s reply is a timeout, and nothing is done afterwards', async () => {
    const model = madeModel(() => ({ until: new Promise(() => {}) }));
    const played = await playWith(model, time);
    expect(played.stop.status).toBe('timeout');
    expect(played.of('turn').map(({ phase }) => phase)).toEqual(['start', 'end']);
    expect(played.of('tool_call').filter(({ by }) => by === 'agent')).toEqual([]);
  });

  test('that runs out in the middle of a tool call: the call is aborted without a reward, and the model is asked no more', async () => {
    const model = replies({ calls: [{ name: 'wait_for', input: { text: 'never there', timeoutMs: 30_000 } }] });
    const played = await playWith(model, time);
    expect(played.stop.status).toBe('timeout');
    const call = played.of('tool_call').find(({ by }) => by === 'agent')?.callId;
    expect(played.of('tool_result').at(-1)).toMatchObject({ callId: call, aborted: true });
    expect(played.of('reward').filter(({ callId }) => callId === call)).toEqual([]);
    expect(model.asked).toHaveLength(1);
  });

  test('that runs out while a provider fails is the provider’s doing', async () => {
    await using server = await startTestModel({ faults: [{ name: '500' }] });
    const patient = { attempts: 1_000, backoffMs: 20, maxBackoffMs: 20 };
    const context = systemContext(new AbortController().signal, () => [{ address: '127.0.0.1', family: 4 }], patient);
    const baseUrl = server.baseUrls['openai-compatible'];
    const model = await openModel({ kind: 'openai-compatible', model: 'test', baseUrl }, { ...context, env: {} });
    const played = await play(lab, task(lab, START, time), single({ model, profile, settings }));
    expect(played.of('stop')[0]).toMatchObject({ status: 'adapter_error', cause: 'adapter' });
    expect(reasonOf(played)).toContain('The model could not be asked');
  });
});
