/** `waymark bridge`: the endpoint of an attempt over stdio. */
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, test } from 'vitest';
import { startEndpoint } from '../../../src/agents/external/endpoint.ts';
import type { Session } from '../../../src/episode/index.ts';
import { waymark } from '../../cli/command-line.ts';
import { isRunning } from '../../cli/descendants.ts';
import { until } from '../../support/lab.ts';

const MAIN = path.resolve(import.meta.dirname, '../../../src/cli/main.ts');
const session = {
  tools: [{ name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }],
  step: async () => ({ isError: false, text: 'seen', texts: ['seen'], blocks: ['text'], images: [], durationMs: 1 }),
} as unknown as Session;

test('an agent that only takes commands uses the endpoint; when it is gone, requests are answered with an error', async () => {
  const endpoint = await startEndpoint({ session });
  const env = { PATH: process.env['PATH'] ?? '', WAYMARK_MCP_URL: endpoint.url, WAYMARK_MCP_TOKEN: endpoint.token };
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'bridge'], env });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { pid } = transport;
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['look', 'task_done']);
  await endpoint.connected;
  expect(await client.callTool({ name: 'look', arguments: {} })).toMatchObject({ content: [{ text: 'seen' }] });
  await client.callTool({ name: 'task_done', arguments: { answer: 'yes' } });
  expect(await endpoint.done).toEqual({ answer: 'yes' });
  await endpoint[Symbol.asyncDispose]();
  await expect(client.callTool({ name: 'look', arguments: {} })).rejects.toThrow(
    'The endpoint of the attempt does not answer',
  );
  await client.close();
  await until(() => !isRunning(pid ?? 0), 'the bridge ends with its input');
});

test('without an address and a token it says what is missing', async () => {
  const { code, err } = await waymark(['bridge']);
  expect(code).toBe(2);
  expect(err).toContain('WAYMARK_MCP_URL and WAYMARK_MCP_TOKEN must name an endpoint and its token.');
});
