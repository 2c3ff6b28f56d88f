import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gate, writeChromiumWrapper } from '../../src/chromium/index.ts';
import { performAction } from '../../src/tools/canonical/perform.ts';
import { newRenderContext } from '../../src/tools/canonical/plan.ts';
import { attachServer, profileOf, ServerChoice } from '../../src/tools/index.ts';
import { optionsFor } from '../support/gate-lab.ts';
import { type Lab, openLab, until } from '../support/lab.ts';
import { isAlive } from '../support/processes.ts';
import { RawClient } from '../support/raw-client.ts';

let lab: Lab;
let folder: string;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-wrapper-'));
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('Playwright launches it over a pipe, makes its own context, and closing it ends the program alone', async () => {
  await using slot = await lab.slot();
  const onDrive = (targetId: string): void => slot.witness.use(targetId);
  await using gate = await Gate.open({ ...optionsFor(slot), onDrive });
  const executablePath = writeChromiumWrapper(folder, gate.httpAddress);
  const browser = await chromium.launch({ executablePath });
  expect(gate.hasConnected).toBe(true);
  const page = await browser.newPage();
  await page.goto(`${lab.server.origin}/small`);
  expect(await slot.witness.observe()).toMatchObject({ title: 'Small page', url: `${lab.server.origin}/small` });
  expect(slot.witness.contexts.size).toBe(2);
  await browser.close();
  expect(slot.host.isAlive).toBe(true);
  // The context that Playwright had made went with it.
  await until(() => slot.witness.contexts.size === 1, 'the context to be disposed of');
});

test('with a port it listens there with the pages, writes the file of the port, and says its version', async () => {
  await using slot = await lab.slot();
  await using gate = await Gate.open(optionsFor(slot));
  const file = writeChromiumWrapper(folder, gate.httpAddress);
  const { stdout } = await promisify(execFile)(file, ['--version']);
  expect(stdout).toMatch(/^Chromium [\d.]+\n$/);
  expect(slot.host.browser.identity.product).toContain(stdout.trim().replace('Chromium ', ''));
  const profile = path.join(folder, 'profile');
  const child = spawn(file, ['--remote-debugging-port=0', `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await until(() => /^DevTools listening on ws:\S+$/m.test(said), 'its address');
  const address = /ws:\S+/.exec(said)?.[0] ?? '';
  const [port, pathname] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  expect(address).toBe(`ws://127.0.0.1:${port}${pathname}`);
  const list = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { webSocketDebuggerUrl: string }[];
  expect(list).toHaveLength(1);
  await using page = await RawClient.connect(list[0]?.webSocketDebuggerUrl ?? '');
  expect(await page.send('Runtime.evaluate', { expression: '1 + 1' })).toMatchObject({ result: { value: 2 } });
  const first = await RawClient.connect(address);
  await first.send('Browser.getVersion');
  await first.close();
  // A client that leaves does not end a browser; one that closes it does.
  await until(async () => (await RawClient.refusal(gate.wsAddress)) !== 409, 'the gate to be free');
  await using second = await RawClient.connect(address);
  expect(await second.send('Browser.close')).toEqual({});
  expect(await exited).toEqual([0, null]);

  // The same over a pipe, where it must not wait for more messages.
  await second.closed;
  await until(async () => (await RawClient.refusal(gate.wsAddress)) !== 409, 'the gate to be free again');
  const piped = spawn(file, ['--remote-debugging-pipe'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = once(piped, 'exit');
  (piped.stdio[3] as Writable).write('{"id":1,"method":"Browser.close"}\0');
  const answer: unknown[] = await once(piped.stdio[4] as Readable, 'data');
  expect(String(answer[0])).toBe('{"id":1,"result":{}}\0');
  expect(await ended).toEqual([0, null]);
});

const PUPPETEER = ServerChoice.parse({
  server: 'custom',
  name: 'puppeteer',
  package: '@modelcontextprotocol/server-puppeteer',
  attach: 'gate',
  env: { PUPPETEER_LAUNCH_OPTIONS: '{"executablePath":"{chromium}"}' },
  navigate: { tool: 'puppeteer_navigate' },
  observe: ['puppeteer_screenshot'],
  firstCalls: [{ tool: 'puppeteer_navigate', args: { url: 'about:blank' } }],
  actions: {
    read: { tool: 'puppeteer_evaluate', args: { script: 'document.body.innerText' } },
    click: { tool: 'puppeteer_click', args: { selector: '{selector}' } },
    type: [
      { tool: 'puppeteer_evaluate', args: { script: 'document.querySelector({json:selector}).value = ""' } },
      { tool: 'puppeteer_fill', args: { selector: '{selector}', value: '{text}' } },
    ],
    select: { tool: 'puppeteer_select', args: { selector: '{selector}', value: '{value}' } },
    evaluate: { tool: 'puppeteer_evaluate', args: { script: '{expression}' } },
  },
});

test('a server from npm that launches its own browser is driven behind the gate, by its configuration alone', async () => {
  const profile = profileOf(PUPPETEER);
  await using slot = await lab.slot();
  const server = await attachServer(profile, slot);
  // Its first call has opened the browser.
  expect(server.gate?.hasConnected).toBe(true);
  const context = newRenderContext(server.client);
  const perform = async (action: Parameters<typeof performAction>[0]) => {
    const done = await performAction(action, profile, server.client, context);
    expect(done.end, done.text).toEqual({ status: 'done' });
    return done;
  };
  await perform({ action: 'navigate', url: `${lab.server.origin}/form` });
  await perform({ action: 'type', target: { selector: '#name' }, text: 'Ada' });
  await perform({ action: 'type', target: { selector: '#name' }, text: 'Ada Lovelace' });
  await perform({ action: 'select', target: { selector: '#plan' }, options: ['Standard'] });
  const { calls } = await perform({ action: 'click', target: { role: 'checkbox', name: 'terms' } });
  // The harness has looked for the element itself: that is no call of the agent.
  expect(calls.map(({ purpose }) => purpose)).toEqual(['locate', 'act']);
  expect(calls.map(({ tool, args }) => profile.observes(tool, args))).toEqual([true, false]);
  const { text } = await perform({
    action: 'evaluate',
    expression: `[document.querySelector('#name').value, document.querySelector('#plan').selectedOptions[0].label, document.querySelector('#terms').checked].join('|')`,
  });
  expect(text).toContain('Ada Lovelace|Standard|true');
  expect((await slot.witness.observe()).url).toBe(`${lab.server.origin}/form`);
  const refused = await performAction(
    { action: 'drag', target: { at: [1, 1] }, to: { at: [2, 2] } },
    profile,
    server.client,
    context,
  );
  expect(refused.end).toMatchObject({ status: 'unsupported' });

  // The next episode gets a new process, because the server would hold on to the browser that it has launched.
  await using next = await lab.slot();
  const { pid } = server.client;
  await server.retarget(next);
  expect(server.client.pid).not.toBe(pid);
  await server.client.call('puppeteer_navigate', { url: `${lab.server.origin}/small` });
  expect((await next.witness.observe()).title).toBe('Small page');
  const last = server.client.pid ?? 0;
  await server.dispose();
  await until(() => !isAlive(last), 'the server to end');
});

test('a server that serves HTTP is started behind the gate, isolates itself in the episode, and its end is noticed', async () => {
  const profile = profileOf({
    server: 'custom',
    name: 'over-http',
    package: '@playwright/mcp',
    args: ['--cdp-endpoint', '{cdpHttp}', '--port', '{mcpPort}', '--isolated'],
    url: 'http://localhost:{mcpPort}/mcp',
    attach: 'gate',
    navigate: { tool: 'browser_navigate', argument: 'url' },
    observe: ['browser_snapshot'],
    dialect: 'playwright',
  });
  await using slot = await lab.slot();
  await using server = await attachServer(profile, slot);
  const { isError, text } = await server.client.call('browser_navigate', { url: `${lab.server.origin}/small` });
  expect(isError, text).toBe(false);
  expect(server.gate?.hasConnected).toBe(true);
  expect((await slot.witness.observe()).title).toBe('Small page');
  // With --isolated it works in a context of its own, which belongs to the episode.
  expect(slot.witness.contexts.size).toBe(2);
  const pid = server.client.pid ?? 0;
  process.kill(pid, 'SIGKILL');
  expect(await server.client.lost).toMatch(/was ended by SIGKILL/);
});
