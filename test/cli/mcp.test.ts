import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../fixtures/server.ts';
import { STATE_VARIABLE } from '../../src/chromium/index.ts';
import { until } from '../support/lab.ts';
import { type Folder, temporaryFolder } from './command-line.ts';
import { descendantsOf, isRunning } from './descendants.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
let fixtures: FixtureServer;
let state: Folder;
beforeEach(async () => {
  fixtures = await startFixtureServer();
  state = temporaryFolder();
});
afterEach(async () => {
  await fixtures[Symbol.asyncDispose]();
  state[Symbol.dispose]();
});

const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  [STATE_VARIABLE]: state.path,
});

const text = (result: unknown): string => {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map((block) => block.text ?? '').join('\n');
};

test('any MCP client gets the tools, sees the page, and leaves no process behind', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--resolver-rules', fixtures.resolverRules],
    env: environment(),
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  const strange: unknown[] = [];
  // Anything else on standard output would reach the client as an error.
  client.onerror = (error) => strange.push(error);
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['navigate', 'read_page', 'interact', 'find']));
  expect(client.getServerVersion()?.name).toBe('waymark-embedded');

  await client.callTool({ name: 'navigate', arguments: { url: `${fixtures.origin}/form` } });
  expect(text(await client.callTool({ name: 'read_page', arguments: {} }))).toContain('button "Sign up"');
  const bad = await client.callTool({
    name: 'interact',
    arguments: { action: 'click', selector: '#nowhere', timeoutMs: 100 },
  });
  expect(bad.isError).toBe(true);

  const pid = transport.pid ?? 0;
  const family = [pid, ...descendantsOf(pid)];
  expect(family.length).toBeGreaterThan(2);
  await client.close();
  await until(() => family.every((one) => !isRunning(one)), 'the server and its browser to end');
  expect(strange).toEqual([]);
});

test('ends with exit code 0 when its input closes before any request', async () => {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(out).toBe('');
});

/** A server that has answered, so its browser is running. */
async function answering() {
  const child = spawn(process.execPath, [MAIN, 'mcp'], { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const said = { err: '' };
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await once(child.stdout, 'data');
  return { child, exited, said, family: descendantsOf(child.pid ?? 0) };
}

test('the end of its input ends it with exit code 0, and its browser with it', async () => {
  const { child, exited, said, family } = await answering();
  child.stdin.end();
  expect(await exited).toEqual([0, null]);
  expect(family.filter(isRunning)).toEqual([]);
  expect(said.err).toBe('');
});

test('a lost browser ends it with exit code 3 and a message', async () => {
  const { exited, said, family } = await answering();
  const [browser = 0] = family;
  process.kill(browser, 'SIGKILL');
  expect(await exited).toEqual([3, null]);
  expect(said.err).toMatch(/^waymark: The browser was lost: /);
});

test('a missing browser is reported on standard error', async () => {
  const child = spawn(process.execPath, [MAIN, 'mcp', '--browser', '/nowhere/chrome'], { env: environment() });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(err).toContain('waymark: --browser names /nowhere/chrome, which does not exist.');
});
