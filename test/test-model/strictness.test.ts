/** What the vendors refuse is refused, with the status and the shape of their errors. */
import { afterAll, describe, expect, test } from 'vitest';
import { startTestModel } from '../../src/test-model/index.ts';

const model = await startTestModel();
afterAll(() => model[Symbol.asyncDispose]());

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${model.url}${path}`, { method: 'POST', body: text, headers });
  return { status: response.status, body: (await response.json()) as Record<string, Record<string, unknown>> };
}

/** A conversation in the words of a protocol: parts that are put together well or badly. */
interface Dialect {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body: (messages: readonly unknown[], more?: object) => object;
  readonly user: unknown;
  readonly call: (id: string) => unknown;
  readonly result: (id: string) => unknown;
  readonly error: (message: unknown) => object;
  readonly unknownField: string | undefined;
}

const tool = { name: 'look', description: 'Looks.' };
const dialects: Readonly<Record<string, Dialect>> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: (messages, more) => ({ model: 'test', messages, tools: [{ type: 'function', function: tool }], ...more }),
    user: { role: 'user', content: 'Look.' },
    call: (id) => ({
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
    }),
    result: (id) => ({ role: 'tool', tool_call_id: id, content: 'Seen.' }),
    error: (message) => ({ error: { message, type: 'invalid_request_error' } }),
    unknownField: "Unknown parameter: 'surprise'.",
  },
  responses: {
    path: '/v1/responses',
    body: (input, more) => ({ model: 'test', input, tools: [{ type: 'function', ...tool }], ...more }),
    user: { role: 'user', content: 'Look.' },
    call: (id) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' }),
    result: (id) => ({ type: 'function_call_output', call_id: id, output: 'Seen.' }),
    error: (message) => ({ error: { message, type: 'invalid_request_error' } }),
    unknownField: "Unknown parameter: 'surprise'.",
  },
  messages: {
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: (messages, more) => ({
      model: 'test',
      max_tokens: 99,
      messages,
      tools: [{ ...tool, input_schema: {} }],
      ...more,
    }),
    user: { role: 'user', content: 'Look.' },
    call: (id) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] }),
    result: (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Seen.' }] }),
    error: (message) => ({ type: 'error', error: { message, type: 'invalid_request_error' } }),
    unknownField: 'surprise: Extra inputs are not permitted',
  },
  generateContent: {
    path: '/v1beta/models/test:generateContent',
    body: (contents, more) => ({ contents, tools: [{ functionDeclarations: [tool] }], ...more }),
    user: { role: 'user', parts: [{ text: 'Look.' }] },
    call: (id) => ({ role: 'model', parts: [{ functionCall: { id, name: 'look', args: {} } }] }),
    result: (id) => ({
      role: 'user',
      parts: [{ functionResponse: { id, name: 'look', response: { output: 'Seen.' } } }],
    }),
    error: (message) => ({ error: { message, code: 400, status: 'INVALID_ARGUMENT' } }),
    unknownField: 'Invalid JSON payload received. Unknown name "surprise": Cannot find field.',
  },
  ollama: {
    path: '/api/chat',
    body: (messages, more) => ({ model: 'test', messages, stream: false, ...more }),
    user: { role: 'user', content: 'Look.' },
    call: () => ({ role: 'assistant', content: '', tool_calls: [{ function: { name: 'look', arguments: {} } }] }),
    result: () => ({ role: 'tool', tool_name: 'look', content: 'Seen.' }),
    error: (message) => ({ error: message }),
    unknownField: undefined,
  },
};

describe.each(Object.entries(dialects))('%s', (_, dialect) => {
  const { user, call, result } = dialect;
  const send = (messages: readonly unknown[], more?: object) =>
    post(dialect.path, dialect.body(messages, more), dialect.headers);
  const refused = async (messages: readonly unknown[], message: unknown = expect.any(String)) =>
    expect(await send(messages)).toMatchObject({ status: 400, body: dialect.error(message) });

  test('a call with its result is accepted', async () => {
    expect(await send([user, call('c1'), result('c1')])).toMatchObject({ status: 200 });
    expect(await send([user, call('c1'), result('c1'), call('c2'), result('c2'), user])).toMatchObject({ status: 200 });
  });

  test('a result without its call is refused', () => refused([user, result('c1')]));

  test('a second result for one call is refused', () => refused([user, call('c1'), result('c1'), result('c1')]));

  test('a call without a result before the next message of the user is refused', async () => {
    await refused([user, call('c1'), user]);
    await refused([user, call('c1')]);
  });

  test('an unknown field is refused where the vendor refuses it', async () => {
    const { status, body } = await send([user], { surprise: 1 });
    if (dialect.unknownField === undefined) expect(status).toBe(200);
    else expect({ status, body }).toMatchObject({ status: 400, body: dialect.error(dialect.unknownField) });
  });

  test('no conversation at all, and no JSON, are refused', async () => {
    if (dialect.path !== '/api/chat') await refused([]);
    expect(await post(dialect.path, '{"model": ', dialect.headers)).toMatchObject({ status: 400 });
    expect(await post(dialect.path, [], dialect.headers)).toMatchObject({ status: 400 });
  });
});

test('the words of the vendors', async () => {
  const { messages, 'chat completions': chat, responses } = dialects as Record<string, Dialect>;
  const words = async (dialect: Dialect | undefined, sent: readonly unknown[]) =>
    (await post(dialect?.path ?? '', dialect?.body(sent), dialect?.headers)).body['error']?.['message'];
  expect(await words(chat, [chat?.user, chat?.call('c1'), chat?.user])).toContain(
    'The following tool_call_ids did not have response messages: c1',
  );
  expect(await words(responses, [responses?.user, responses?.result('c9')])).toBe(
    'No tool call found for function call output with call_id c9.',
  );
  expect(await words(messages, [messages?.user, messages?.call('c1'), messages?.user])).toContain(
    '`tool_use` ids were found without `tool_result` blocks immediately after: c1',
  );
});

describe('messages', () => {
  const { path, headers, body, user } = dialects['messages'] as Dialect;

  test('a system message in the wrong place is refused', async () => {
    const { status, body: said } = await post(path, body([{ role: 'system', content: 'Be good.' }, user]), headers);
    expect(status).toBe(400);
    expect(said['error']?.['message']).toMatch(/^messages\.0\.role: /);
  });

  test('the version header, max_tokens and text in blocks are needed', async () => {
    expect((await post(path, body([user]))).body).toMatchObject({
      error: { message: 'anthropic-version: header is required' },
    });
    expect((await post(path, { model: 'test', messages: [user] }, headers)).status).toBe(400);
    const empty = { role: 'user', content: [{ type: 'text', text: '' }] };
    expect((await post(path, body([empty]), headers)).body).toMatchObject({
      error: { message: 'messages.0.content.0.text: text content blocks must be non-empty' },
    });
  });

  test('tokens are counted without a reply', async () => {
    const counted = await post(`${path}/count_tokens`, { model: 'test', messages: [user] }, headers);
    expect(counted).toEqual({ status: 200, body: { input_tokens: 2 } });
  });
});

test('generateContent knows two roles, and counts tokens', async () => {
  const { user } = dialects['generateContent'] as Dialect;
  const system = { role: 'system', parts: [{ text: 'Be good.' }] };
  expect((await post('/v1beta/models/test:generateContent', { contents: [system, user] })).body).toMatchObject({
    error: { message: '* GenerateContentRequest.contents[0].role: Please use a valid role: user, model.' },
  });
  expect(await post('/v1beta/models/test:countTokens', { contents: [user] })).toEqual({
    status: 200,
    body: { totalTokens: 2 },
  });
});

test('responses: nothing is stored, so that nothing can be referred to', async () => {
  const { user } = dialects['responses'] as Dialect;
  const asked = await post('/v1/responses', { model: 'test', input: [user], previous_response_id: 'resp_1' });
  expect(asked).toMatchObject({
    status: 404,
    body: { error: { message: expect.stringContaining("'resp_1' not found") } },
  });
});

test('responses: tools in a namespace are called by their namespace', async () => {
  const members = ['read_page', 'navigate', 'interact', 'click_at'].map((name) => ({ type: 'function', name }));
  const { body } = await post('/v1/responses', {
    model: 'test:liar',
    input: 'Look.',
    tools: [{ type: 'namespace', name: 'mcp__browser', tools: members }, { type: 'web_search' }],
  });
  const output = body['output'] as unknown as { type: string }[];
  expect(output.find(({ type }) => type === 'function_call')).toMatchObject({
    namespace: 'mcp__browser',
    name: 'read_page',
  });
});

test('a model must be known where the server is told which there are', async () => {
  await using strict = await startTestModel({ models: ['gpt-x'] });
  const ask = async (name: string) => {
    const body = JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Hi.' }] });
    return (await fetch(`${strict.url}/v1/chat/completions`, { method: 'POST', body })).status;
  };
  expect([await ask('gpt-x'), await ask('gpt-y')]).toEqual([200, 404]);
});

test('other paths are a 404 in JSON, and models are listed', async () => {
  expect(await post('/v1/completions', {})).toMatchObject({
    status: 404,
    body: { error: { message: 'There is no POST /v1/completions here.' } },
  });
  const list = async (path: string) => (await fetch(`${model.url}${path}`)).json();
  expect(await list('/v1/models')).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ id: 'test' })]),
  });
  expect(await list('/v1beta/models/test')).toMatchObject({ name: 'models/test' });
  expect(await list('/api/tags')).toMatchObject({ models: expect.any(Array) });
});
