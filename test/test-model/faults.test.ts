/** Every fault of the table, as the client of each protocol meets it. */
import { dynamicTool, jsonSchema } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { CallFailure, generate, openModel, systemContext } from '../../src/models/index.ts';
import { FAULT_NAMES, FAULTS, startTestModel } from '../../src/test-model/index.ts';

type Name = (typeof FAULT_NAMES)[number];
const LOOPBACK = [{ address: '127.0.0.1', family: 4 }];
const model = await startTestModel();
afterAll(() => model[Symbol.asyncDispose]());

/** What a client makes of it: the code of its failure, or what is wrong with the reply. */
const MET: Readonly<Record<Name, unknown>> = {
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

const tools = {
  read_page: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: undefined as never }),
};

async function ask(id: string, timeoutMs = 20_000): Promise<unknown> {
  const context = systemContext(new AbortController().signal, () => LOOPBACK, { attempts: 1, timeoutMs });
  const baseUrl = model.baseUrls['openai-compatible'];
  const opened = await openModel({ kind: 'openai-compatible', model: id, baseUrl }, context);
  const messages = [{ role: 'user' as const, content: 'Read the page.' }];
  return generate(opened, { messages, tools }).catch((thrown: unknown) => thrown);
}

describe('chat completions', () => {
  test.each(FAULT_NAMES)('%s', async (name) => {
    const met = await ask(`test:fault-${name}`, name === 'timeout' ? 300 : undefined);
    expect(met instanceof CallFailure, FAULTS[name].about).toBe('code' in (MET[name] as object));
    expect(met).toMatchObject(MET[name] as object);
    expect(model.requests.at(-1)).toMatchObject({ fault: name, protocol: 'chat-completions' });
  });
});

test('a fault of the n-th request leaves the others alone', async () => {
  const codes = [];
  for (let n = 0; n < 3; n++) codes.push(await ask('test:seed-3:fault-500@2'));
  expect(codes).toMatchObject([{ finishReason: 'stop' }, { code: 'server_error' }, { finishReason: 'stop' }]);
});

test('a server with a fault has it for every model', async () => {
  await using broken = await startTestModel({ faults: [{ name: '500', nth: 1 }] });
  const post = () =>
    fetch(`${broken.url}/v1/chat/completions`, {
      method: 'POST',
      body: '{"model":"x","messages":[{"role":"user","content":"Hi."}]}',
    });
  expect([(await post()).status, (await post()).status]).toEqual([500, 200]);
});
