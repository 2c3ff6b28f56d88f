import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer } from '../../fixtures/server.ts';
import { executeRun, FolderRunStore, resolveRun } from '../../src/runs/index.ts';
import type { ServerChoice } from '../../src/tools/index.ts';
import { visitBrowser } from '../../src/tools/profiles/own-browser.ts';
import { until } from '../support/lab.ts';
import { RawClient } from '../support/raw-client.ts';
import { startRemoteBrowser } from '../support/remote-browser.ts';

let fixture: Awaited<ReturnType<typeof startFixtureServer>>;
let browser: Awaited<ReturnType<typeof startRemoteBrowser>>;
let folder: string;
beforeAll(async () => {
  [fixture, browser] = await Promise.all([startFixtureServer(), startRemoteBrowser()]);
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-own-'));
});
afterAll(async () => {
  await Promise.all([fixture[Symbol.asyncDispose](), browser[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

const at = (page: string): string => `http://127.0.0.1:${fixture.port}${page}`;

test('the tab that was driven last is watched, whichever it is', async () => {
  await using own = await visitBrowser(browser.wsAddress, {});
  const { witness } = own;
  const first = witness.page?.targetId ?? '';
  await using client = await RawClient.connect(browser.wsAddress);
  // A blank one: a page would still load, and so drive its tab, after the first tab has gone on.
  const { targetId } = await client.send('Target.createTarget', { url: 'about:blank' });
  await until(() => witness.page?.targetId === targetId, 'the new tab to be watched');
  const session = await client.attach(first);
  await client.send('Page.navigate', { url: at('/form') }, session);
  await until(() => witness.page?.targetId === first, 'the first tab to be watched again');
  expect((await witness.observe()).url).toBe(at('/form'));
  await client.send('Target.closeTarget', { targetId });
});

test('an episode claims no reset and names the browser that was driven, and several at a time are refused', async () => {
  const server: ServerChoice = {
    server: 'custom',
    name: 'with-its-own',
    package: '@playwright/mcp',
    args: ['--cdp-endpoint', browser.httpAddress],
    attach: 'own',
    cdpAddress: browser.wsAddress,
    navigate: { tool: 'browser_navigate' },
    observe: ['browser_snapshot'],
    dialect: 'playwright',
  };
  const success = { kind: 'dom_text', selector: 'h1', contains: 'Small page' };
  const task = { id: 'own', title: 'Own', goal: 'Go.', startUrl: at('/form'), success, oracle: 'oracles/own.json' };
  const moves = [{ action: { action: 'navigate', url: at('/small') } }];
  mkdirSync(path.join(folder, 'tasks', 'oracles'), { recursive: true });
  writeFileSync(path.join(folder, 'tasks', 'own.task.json'), JSON.stringify(task));
  writeFileSync(
    path.join(folder, 'tasks', 'oracles', 'own.json'),
    JSON.stringify({ format: 'waymark.transcript.v1', task: 'own', moves }),
  );
  await expect(
    resolveRun({ tasks: [path.join(folder, 'tasks')], server, version: 'x', concurrency: 2 }),
  ).rejects.toMatchObject({
    code: 'usage_bad_value',
    message: 'The server with-its-own has one browser of its own, which 2 episodes at a time would share.',
  });
  const run = await resolveRun({ tasks: [path.join(folder, 'tasks')], server, version: 'x' });
  using store = new FolderRunStore(path.join(folder, 'run'));
  await executeRun(run, { store });
  const attempt = { runId: run.plan.runId, caseId: 'own', trial: 1, attempt: 1 };
  const events = await Array.fromAsync(store.events(attempt));
  expect(events.find(({ type }) => type === 'stop')).toMatchObject({ status: 'passed' });
  const reset = events.find(({ type }) => type === 'reset');
  expect(reset).toMatchObject({ ok: true, unproved: true });
  expect(reset).not.toHaveProperty('fingerprint');
  expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
    { source: 'server', message: expect.stringContaining('no reset is proved') },
  ]);
  // A browser that the harness did not start is named as such.
  expect(events.find(({ type }) => type === 'start')).toMatchObject({ environment: { browser: { kind: 'remote' } } });
});
