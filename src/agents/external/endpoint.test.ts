import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Session } from '../../episode/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { ToolResult } from '../../tools/index.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';

const result = (changes: Partial<ToolResult> = {}): ToolResult => ({
  isError: false,
  text: 'ok',
  texts: ['ok'],
  blocks: ['text'],
  images: [],
  durationMs: 1,
  ...changes,
});
let step: Session['step'] = async () => result();
const session = {
  task: { id: 't', title: '', goal: '', startUrl: 'about:blank', maxSteps: 1 },
  tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' }, readOnly: true }],
  step: (call: Parameters<Session['step']>[0]) => step(call),
} as unknown as Session;

let endpoint: Endpoint;
beforeEach(async () => {
  step = async () => result();
  endpoint = await startEndpoint({ session, answerMs: 100 });
});
afterEach(() => endpoint[Symbol.asyncDispose]());

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${endpoint.token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint.url), { requestInit }) as Transport);
  return client;
}

const post = (headers: Record<string, string>, method = 'tools/list'): Promise<Response> =>
  fetch(endpoint.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${endpoint.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
  });

test.each<[string, Record<string, string>, string, number]>([
  ['no token', { authorization: '' }, 'tools/list', 401],
  ['another token', { authorization: 'Bearer abc' }, 'tools/list', 401],
  ['a page of another site', { origin: 'http://shop.test' }, 'tools/list', 403],
  ['a method without a connection', {}, 'tools/list', 400],
  ['a method of a newer protocol', { 'mcp-protocol-version': '2026-07-28' }, 'server/discover', 400],
  ['a connection that is not there', { 'mcp-session-id': 'x' }, 'tools/list', 404],
  ['an answer as JSON only', { accept: 'application/json' }, 'initialize', 406],
])('%s is refused at once', async (_, headers, method, status) => {
  const response = await post(headers, method);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  expect(endpoint.isConnected).toBe(false);
});

test('another name for this machine is refused: a page may have bound it by DNS', async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const headers = { host: 'shop.test', authorization: `Bearer ${endpoint.token}` };
  request(endpoint.url, { method: 'POST', headers }, (response) => resolve(response.resume().statusCode)).end();
  expect(await promise).toBe(421);
});

test('an agent is connected when it has listed the tools', async () => {
  const client = await connect();
  expect(endpoint.isConnected).toBe(false);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['look', 'task_done']);
  await endpoint.connected;
  expect(endpoint.isConnected).toBe(true);
});

test('prompts and resources are unknown methods', async () => {
  const client = await connect();
  for (const method of ['prompts/list', 'resources/list']) {
    const answer = post({ 'mcp-session-id': (client.transport as { sessionId?: string }).sessionId ?? '' }, method);
    const text = await (await answer).text();
    expect(JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')).toMatchObject({ error: { code: -32601 } });
  }
});

test('a second client connects beside the first', async () => {
  const [one, two] = [await connect(), await connect()];
  expect((await one.listTools()).tools).toEqual((await two.listTools()).tools);
});

test('texts and pictures keep their order', async () => {
  step = async () =>
    result({ blocks: ['image', 'text'], texts: ['below'], images: [{ mimeType: 'image/png', data: 'AAAA' }] });
  expect(await (await connect()).callTool({ name: 'look', arguments: {} })).toMatchObject({
    content: [
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: 'below' },
    ],
  });
});

test('a step that takes too long is answered before the client gives up', async () => {
  step = () => new Promise(() => {});
  expect(await (await connect()).callTool({ name: 'look', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('The tool look has not answered within 0.1 seconds. The call goes on') }],
  });
});

test('a step after the end of the attempt is an error that says so', async () => {
  step = async () => {
    throw new WaymarkError({ code: 'attempt_ended', message: 'The attempt has ended.' });
  };
  expect(await (await connect()).callTool({ name: 'look', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: 'The attempt has ended.' }],
  });
});

test.each<[unknown, string | undefined]>([
  ['Paris', 'Paris'],
  [undefined, undefined],
  [{ city: 'Paris' }, '{"city":"Paris"}'],
])('task_done with the answer %j ends the task once', async (answer, expected) => {
  const client = await connect();
  await client.callTool({ name: 'task_done', arguments: { answer } });
  expect(await endpoint.done).toEqual({ answer: expected });
  expect(await client.callTool({ name: 'task_done', arguments: { answer } })).toMatchObject({ isError: true });
});
