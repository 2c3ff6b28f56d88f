import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { connectServer } from '../../src/tools/connect/connect-server.ts';
import { freePort } from '../../src/tools/connect/free-port.ts';
import { serversFolder } from '../../src/tools/connect/process-folder.ts';
import type { ToolClient } from '../../src/tools/connect/tool-client.ts';
import { findProgram } from '../../src/tools/profiles/find-package.ts';
import { until } from '../support/lab.ts';
import { isAlive } from '../support/processes.ts';

const PROGRAM = path.join(import.meta.dirname, 'support/faulty-server.ts');
const SPEC = { kind: 'stdio', command: process.execPath, args: [PROGRAM] } as const;
const SOURCES = path.join(import.meta.dirname, '../../src/tools/connect');
const FOLDERS = serversFolder();
const folders = () => readdirSync(FOLDERS).filter((name) => name.startsWith(`${process.pid}-`));

/** Kept from test to test, until one is lost. */
let kept: ToolClient | undefined;
async function server(): Promise<ToolClient> {
  kept ??= await connectServer(SPEC);
  return kept;
}
async function discard(): Promise<void> {
  await kept?.close();
  kept = undefined;
  expect(folders()).toEqual([]);
}
afterAll(discard);

/** Another process, and the first thing that it says. */
function run(source: string | undefined, args: string[] = ['--input-type=module', '-e', String(source)]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
  return { child, said };
}

/** What was thrown. */
async function thrown(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const { code, message } = error as { code: string; message: string };
  return { code, message };
}

test('a server is known by name, version and tools, and what it answers is given back, errors too', async () => {
  const client = await server();
  expect(client).toMatchObject({ name: 'faulty', version: '1.2.3' });
  expect(client.tools.find(({ name }) => name === 'echo')).toMatchObject({ readOnly: true, description: '' });
  expect(await client.call('echo', { words: 'hello' })).toMatchObject({
    isError: false,
    text: 'hello',
    blocks: ['text'],
  });
  expect(await client.call('fail', { words: 'sorry' })).toMatchObject({ isError: true, text: 'sorry' });
  expect(await client.call('no-such-tool')).toMatchObject({ isError: true });
  expect(await client.call('garbage')).toMatchObject({ isError: true });
});

test('an answer whose result is null is a bad answer at once, and one bad tool schema costs that tool only', async () => {
  const client = await server();
  expect(await client.call('null')).toMatchObject({ isError: true, errorKind: 'bad_answer' });
  await using other = await connectServer({ ...SPEC, env: { BAD_SCHEMAS: 'yes' } });
  expect(other.tools.map(({ name }) => name)).toEqual(['echo']);
  expect(other.notes).toEqual([
    expect.stringMatching(
      /^The tool "broken" of the server cannot be used, because its description is invalid: inputSchema/,
    ),
    expect.stringMatching(/^A tool without a name of the server cannot be used/),
  ]);
  expect((await other.call('echo', { words: 'works' })).text).toBe('works');
});

test('it gets a fresh folder and home, and nothing of our environment that it was not given', async () => {
  process.env['SOME_SECRET_KEY'] = 'do-not-tell';
  try {
    await using other = await connectServer({ ...SPEC, env: { WANTED: 'yes' } });
    const env = JSON.parse((await other.call('environment')).text) as Record<string, string>;
    expect(env['SOME_SECRET_KEY']).toBeUndefined();
    expect(env['WANTED']).toBe('yes');
    expect(env['HOME']).not.toBe(process.env['HOME']);
    expect(path.dirname(String(env['cwd']))).toBe(path.dirname(String(env['HOME'])));
  } finally {
    delete process.env['SOME_SECRET_KEY'];
  }
});

test('a tool that never answers is aborted at its deadline, the server gets a cancellation, and the next call works', async () => {
  const client = await server();
  expect(await thrown(client.call('hang', {}, { timeoutMs: 200 }))).toEqual({
    code: 'tool_timeout',
    message: 'The tool hang did not answer within 200 ms; the call was cancelled.',
  });
  await until(async () => (await client.call('cancelled')).text === '1', 'the cancellation to arrive');
});

test("the caller's own signal ends a call with the caller's own reason", async () => {
  const client = await server();
  const controller = new AbortController();
  const call = client.call('hang', {}, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await expect(client.call('echo', { words: 'x' }, { signal: controller.signal })).rejects.toThrow('enough');
});

test('lines that are no messages are passed over, and large answers are cut', async () => {
  const client = await server();
  expect((await client.call('chatter')).text).toBe('said');
  expect(client.stderr().length).toBeLessThanOrEqual(8_000);
  const { text } = await client.call('spew', { characters: 3_000_000 });
  expect(text).toHaveLength(1_000_000 + '… (cut: 3000000 characters)'.length);
});

test('a server that is killed in the middle of a call is lost for every call, long before their limits', async () => {
  const client = await server();
  const calls = [client.call('hang'), client.call('hang', {}, { timeoutMs: 30_000 })].map(thrown);
  await client.call('echo', { words: 'both are on their way' });
  process.kill(Number(client.pid), 'SIGKILL');
  for (const { code, message } of await Promise.all(calls)) {
    expect({ code, message }).toMatchObject({
      code: 'tool_server_lost',
      message: expect.stringContaining('was ended by SIGKILL'),
    });
  }
  expect(await client.lost).toContain('was ended by SIGKILL');
  expect(await thrown(client.call('echo', { words: 'x' }))).toMatchObject({ code: 'tool_server_lost' });
  await discard();
});

test('the error says how it ended and what it printed last', async () => {
  const client = await server();
  expect(await thrown(client.call('exit', { code: 3 }))).toMatchObject({
    code: 'tool_server_lost',
    message: expect.stringMatching(/exited with code 3; its last words: first words\nI can not go on\.$/),
  });
  await discard();
  expect((await thrown((await server()).call('crash'))).message).toContain('out of luck');
  await discard();
});

test('a server that closes its output is lost, though it runs on', async () => {
  const client = await server();
  const { message } = await thrown(client.call('silence'));
  expect(message).toContain('closed its output');
  await discard();
});

test('closing ends all that it started, also what has left its group, in bounded time', async () => {
  const client = await server();
  const pids = (await client.call('offspring')).text.split(' ').map(Number);
  expect(pids).toHaveLength(3);
  expect(pids.every(isAlive)).toBe(true);
  await client.call('stubborn');
  await discard();
  await until(() => !pids.some(isAlive) && !isAlive(Number(client.pid)), 'all of them to end');
  await expect(Promise.race([client.lost, Promise.resolve('not lost')])).resolves.toBe('not lost');
});

test('after a kill -9 of the harness its servers end with their input, and the next harness ends those that do not', async () => {
  const npm = [
    [findProgram('@playwright/mcp'), '--cdp-endpoint', 'http://127.0.0.1:1'],
    [findProgram('chrome-devtools-mcp'), '--wsEndpoint', 'ws://127.0.0.1:1', '--no-usage-statistics'],
  ].map((args) => ({ ...SPEC, args }));
  const source = `
    import { connectServer } from ${JSON.stringify(path.join(SOURCES, 'connect-server.ts'))};
    const specs = ${JSON.stringify([...npm, SPEC])};
    const clients = await Promise.all(specs.map((spec) => connectServer(spec)));
    await clients.at(-1).call('stubborn');
    console.log(clients.map(({ pid }) => pid).join(' '));
    setInterval(() => {}, 1000);`;
  const harness = run(source);
  const pids = (await harness.said).split(' ').map(Number);
  const stubborn = pids.pop() ?? 0;
  harness.child.kill('SIGKILL');
  await until(() => !pids.some(isAlive), 'both servers to end by themselves');
  expect(isAlive(stubborn)).toBe(true);
  // It is done once a process, so the next harness is another one.
  const sweep = `
    import { sweepServerFolders } from ${JSON.stringify(path.join(SOURCES, 'process-folder.ts'))};
    console.log(sweepServerFolders(${JSON.stringify(FOLDERS)}).join(' '));`;
  expect((await run(sweep).said).match(new RegExp(`${harness.child.pid}-`, 'g'))).toHaveLength(3);
  await until(() => !isAlive(stubborn), 'the stubborn one to be ended');
});

test('a server by HTTP: its headers, and its loss', async () => {
  const { child, said } = run(undefined, [PROGRAM, '0']);
  try {
    const url = `http://127.0.0.1:${Number(await said)}/mcp`;
    expect(await thrown(connectServer({ kind: 'http', url }))).toMatchObject({ code: 'tool_server_start_failed' });
    const headers = { authorization: 'Bearer let-me-in' };
    await using web = await connectServer({ kind: 'http', url, headers });
    expect(await web.call('echo', { words: 'over HTTP' })).toMatchObject({ text: 'over HTTP' });
    expect(await thrown(web.call('hang', {}, { timeoutMs: 150 }))).toMatchObject({ code: 'tool_timeout' });
    const hanging = thrown(web.call('hang'));
    await web.call('echo', { words: 'on its way' });
    child.kill('SIGKILL');
    const { code, message } = await hanging;
    expect(code).toBe('tool_server_lost');
    expect(message).toContain(new URL(url).origin);
  } finally {
    child.kill('SIGKILL');
  }
});

test('a server by HTTP that was started for it: how its process ended is said, although its URL is silent before that', async () => {
  const port = await freePort();
  // The child holds the pipes of its parent open, so that the end of the process is told only after a while.
  const script = 'sleep 1000 & exec "$0" "$@"';
  const program = { command: '/bin/sh', args: ['-c', script, process.execPath, PROGRAM, String(port)] };
  const headers = { authorization: 'Bearer let-me-in' };
  await using web = await connectServer({ kind: 'http', url: `http://127.0.0.1:${port}/mcp`, headers, program });
  const hanging = thrown(web.call('hang'));
  await web.call('echo', { words: 'on its way' });
  process.kill(web.pid ?? 0, 'SIGKILL');
  expect(await web.lost).toMatch(/was ended by SIGKILL/);
  expect(await hanging).toMatchObject({ code: 'tool_server_lost', message: expect.stringContaining('SIGKILL') });
});
