/** Every fault of the table, as the client of each protocol meets it. */
import { afterAll, describe, expect, test } from 'vitest';
import { CallFailure, generate } from '../../src/models/index.ts';
import { FAULT_NAMES, FAULTS, startTestModel } from '../../src/test-model/index.ts';
import { KINDS, type Kind, openKind, PROTOCOL_OF, TOOLS } from './open-kind.ts';

type Name = (typeof FAULT_NAMES)[number];
const model = await startTestModel({ policy: 'liar' });
afterAll(() => model[Symbol.asyncDispose]());

/** What a client makes of it: the code of its failure, or what is wrong with the reply. */
const MET: Readonly<Record<Name, object>> = {
  '429': { code: 'rate_limited', retryAfterMs: 0 },
  '429-without-retry-after': { code: 'rate_limited', retryAfterMs: undefined },
  '500': { code: 'server_error' },
  timeout: { code: 'timeout' },
  'cut-before': { code: 'network' },
  'cut-middle': { code: 'network' },
  malformed: { code: 'bad_reply' },
  html: { code: 'bad_reply' },
  'wrong-shape': { code: 'bad_reply' },
  'refused-key': { code: 'key_refused' },
  'context-overflow': { code: 'context_overflow' },
  empty: { text: '', toolCalls: [] },
  refusal: { finishReason: 'content-filter', toolCalls: [] },
  'invalid-call': { toolCalls: [{ toolName: 'read_page', invalid: true }] },
  'wrong-arguments': { toolCalls: [{ toolName: 'read_page', input: { unexpected: [true] } }] },
  'unknown-tool': { toolCalls: [{ toolName: 'no_such_tool', invalid: true }] },
  'too-large': { code: 'reply_too_large' },
};

/** Where arguments are JSON in JSON, they can't be broken: the client passes on a text. Ollama's protocol has no content filter. */
const OTHERS: Readonly<Partial<Record<Kind, Partial<Record<Name, object>>>>> = {
  anthropic: { 'invalid-call': { toolCalls: [{ toolName: 'read_page', input: '{"action": "cli' }] } },
  google: { 'invalid-call': { toolCalls: [{ toolName: 'read_page', input: '{"action": "cli' }] } },
  ollama: {
    // Its library repairs broken JSON.
    'invalid-call': { toolCalls: [{ toolName: 'read_page', input: { action: 'cli' } }] },
    refusal: { finishReason: 'stop', text: 'I cannot help with that.', toolCalls: [] },
  },
};

async function ask(kind: Kind, id: string, timeoutMs = 20_000): Promise<unknown> {
  const opened = await openKind(kind, id, model, { timeoutMs });
  const messages = [{ role: 'user' as const, content: 'Read the page.' }];
  return generate(opened, { messages, tools: TOOLS }).catch((thrown: unknown) => thrown);
}

describe.each(KINDS)('%s', (kind) => {
  test.each(FAULT_NAMES)('%s', async (name) => {
    const expected = OTHERS[kind]?.[name] ?? MET[name];
    const met = await ask(kind, `test:fault-${name}`, name === 'timeout' ? 300 : undefined);
    expect(met instanceof CallFailure, FAULTS[name].about).toBe('code' in expected);
    expect(met).toMatchObject(expected);
    expect(model.requests.at(-1)).toMatchObject({ fault: name, protocol: PROTOCOL_OF[kind] });
  });
});

test('a fault of the n-th request leaves the others alone', async () => {
  const met = [];
  for (let n = 0; n < 3; n++) met.push(await ask('openai-compatible', 'test:fault-500@2'));
  expect(met).toMatchObject([{ finishReason: 'tool-calls' }, { code: 'server_error' }, { finishReason: 'tool-calls' }]);
});

test('a server with a fault has it for every model', async () => {
  await using broken = await startTestModel({ faults: [{ name: '500', nth: 1 }] });
  const body = JSON.stringify({ model: 'x', messages: [{ role: 'user', content: 'Hi.' }] });
  const post = () => fetch(`${broken.url}/v1/chat/completions`, { method: 'POST', body });
  expect([(await post()).status, (await post()).status]).toEqual([500, 200]);
});

test('a flaky model fails by its seed, and a retry can succeed', async () => {
  const outcomes = async (id: string) => {
    await using flaky = await startTestModel();
    const met: unknown[] = [];
    for (let n = 0; n < 20; n++) {
      const opened = await openKind('openai-compatible', id, flaky);
      const messages = [{ role: 'user' as const, content: `Question ${n}.` }];
      const reply = await generate(opened, { messages, tools: TOOLS }).catch((thrown: unknown) => thrown);
      met.push(reply instanceof CallFailure ? reply.code : 'replied');
    }
    return met;
  };
  const first = await outcomes('test:flaky');
  expect(await outcomes('test:flaky')).toEqual(first);
  expect(await outcomes('test:flaky:seed-2')).not.toEqual(first);
  expect(first.filter((met) => met === 'replied').length).toBeGreaterThan(9);
  expect(new Set(first).size).toBeGreaterThan(2);
  await using flaky = await startTestModel({ policy: 'flaky' });
  const opened = await openKind('openai-compatible', 'test', flaky, { attempts: 10, backoffMs: 1 });
  for (let n = 0; n < 10; n++) {
    const messages = [{ role: 'user' as const, content: `Question ${n}.` }];
    expect(await generate(opened, { messages })).toMatchObject({ finishReason: 'stop' });
  }
  expect(flaky.requests.length).toBeGreaterThan(10);
});
