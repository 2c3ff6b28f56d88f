/** Runs of browser tasks that are started and steered from the web app, in real Chromium on both sides. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processesWith } from '../../src/chromium/index.ts';
import { lockRun } from '../../src/runs/folder/run-lock.ts';
import { readReport, type StartedRuns, watchRunRequests } from '../../src/runs/index.ts';
import { readRunFile } from '../../src/runs/local.ts';
import { schema } from '../../src/store/index.ts';
import { PLAYS, recordRun } from '../cli/record-run.ts';
import { failingTasks } from '../episode/command.ts';
import { startedRunsIn } from '../support/started-runs.ts';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';

const repository = path.resolve(import.meta.dirname, '../..');
/** A run in a process of its own: browsers are started, on a machine that does other things too. */
const RUN = { timeout: 240_000, interval: 50 };

let app: WebApp;
let page: Page;
let folder: string;
let runs: string;
let started: StartedRuns;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-started-'));
  runs = path.join(folder, 'runs');
  const suites = path.join(folder, 'suites');
  mkdirSync(path.join(suites, 'own'), { recursive: true });
  writeFileSync(path.join(suites, 'own', 'broken.task.json'), '{ "id": "broken", "goal": 7 }\n');
  started = startedRunsIn(folder, {
    suites: [suites, path.join(repository, 'suites'), failingTasks],
    variants: [path.join(repository, 'variants')],
    env: { ...process.env, WAYMARK_TOKEN: 'the-secret-of-the-server' },
  });
  app = await openWebApp({ runs: [runs], started });
  page = await app.open('/runs', { viewport: { width: 1280, height: 800 } });
}, 120_000);
afterAll(async () => {
  await started?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(app.faults).toEqual([]));

const heading = (on: Page = page) => on.getByRole('heading', { level: 1 }).innerText();
const feedOf = async (on: Page) =>
  (await on.getByRole('region', { name: 'Feed' }).getByRole('listitem').allInnerTexts()).map((text) =>
    text.replace(/^\S+( [AP]M)?\s+\S\s+/, ''),
  );
const rowsOf = async (on: Page = page) => {
  const texts = await on.getByRole('region', { name: 'List of attempts' }).locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' '));
};
const idOf = (on: Page) => new URL(on.url()).pathname.split('/').at(-1) ?? '';
const rootOf = (id: string) =>
  readdirSync(runs)
    .map((name) => path.join(runs, name))
    .find((root) => existsSync(path.join(root, 'run.json')) && readRunFile(root).plan.runId === id) ?? '';
async function confirm(action: string): Promise<void> {
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('what a run lacks is said before it is started', async () => {
  // In the head of the page; an empty list names it once more.
  await page.getByRole('link', { name: 'Run browser tasks' }).first().click();
  await expect.poll(() => heading(), SOON).toBe('Run browser tasks');
  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByLabel('Suite').selectOption('web-ten');
  await page.getByLabel('Agent').selectOption('single');
  expect(await preview.getByRole('button', { name: 'Start the run' }).isDisabled()).toBe(true);
  await page.getByLabel('Model', { exact: true }).fill('openai:gpt-5-mini');
  await expect
    .poll(() => preview.innerText(), RUN)
    .toContain('The environment variable OPENAI_API_KEY is not set. Nothing was run.');
  await page.getByLabel('Suite').selectOption('own');
  await page.getByLabel('Agent').selectOption('scripted');
  await expect.poll(() => preview.innerText(), RUN).toContain('usage_bad_tasks');
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(existsSync(runs)).toBe(false);
}, 600_000);

test('a run is started from the browser, watched until it has ended, and what did not pass is tried again', async () => {
  await page.goto(`${app.origin}/app/start`);
  await page.getByLabel('Suite').selectOption('tasks-failing');
  await page.getByLabel('Only tasks with').fill('fail-wrong-text');
  await page.getByLabel('Trials').fill('2');
  await page.getByLabel('Experiment').fill('from the browser');
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect.poll(() => preview.innerText(), RUN).toContain('2 (1 task × 2 trials)');
  expect(await preview.innerText()).toContain('at most $0.00');
  await preview.getByRole('button', { name: 'Start the run' }).click();
  await expect.poll(() => heading(), RUN).toBe('tasks-failing, scripted on embedded');
  const id = idOf(page);
  const root = rootOf(id);
  await expect.poll(() => page.getByRole('button', { name: 'Grade again' }).count(), RUN).toBe(1);
  // Its process has ended with it.
  await expect.poll(() => processesWith(root), RUN).toEqual([]);
  await expect.poll(() => readReport(root)?.summary, RUN).toMatchObject({ planned: 2, finished: 2, passed: 0 });
  expect(readRunFile(root).plan).toMatchObject({ experiment: 'from the browser', suite: { name: 'tasks-failing' } });

  await confirm('Retry failed');
  await page.getByLabel('list').check();
  await expect
    .poll(async () => (await rowsOf()).map((row) => row.split(' failed')[0]), RUN)
    .toEqual(['fail-wrong-text, attempt 2', 'fail-wrong-text, trial 2, attempt 2']);
  await expect.poll(() => page.getByRole('button', { name: 'Grade again' }).count(), RUN).toBe(1);
  const attempts = readdirSync(path.join(root, 'episodes', 'fail-wrong-text')).sort();
  expect(attempts).toEqual(['trial-1', 'trial-1-attempt-2', 'trial-2', 'trial-2-attempt-2']);
  await expect.poll(() => readReport(root)?.summary, RUN).toMatchObject({ planned: 2, finished: 2, passed: 0 });

  // Its process holds the run until its reports are written.
  await expect.poll(() => processesWith(root), RUN).toEqual([]);
  // Who was there and who comes now read the same.
  const late = await app.open(`/folders/${id}`);
  await expect.poll(() => feedOf(late), SOON).toEqual(await feedOf(page));
  expect((await feedOf(page)).join('\n')).toContain('attempt 2 began');
  await late.context().close();
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
}, 900_000);

test('a finished run is graded again from its page', async () => {
  await page.getByRole('button', { name: 'Grade again' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Grader').selectOption('performance');
  {
    // Meanwhile someone goes on with the run: the dialog stays, to say how grading went.
    using _writer = lockRun(rootOf(idOf(page)));
    await page.getByText('running, live', { exact: true }).waitFor(SOON);
    expect(await dialog.isVisible()).toBe(true);
  }
  await page.getByText('running, live', { exact: true }).waitFor({ state: 'detached', ...SOON });
  await dialog.getByRole('button', { name: 'Grade', exact: true }).click();
  await expect.poll(() => dialog.innerText(), RUN).toMatch(/performance: 2 \w+/);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('region', { name: 'Graders' }).waitFor(SOON);
}, 400_000);

test('what a server has started ends with it in good order: nothing is left behind, and what went on is interrupted', async () => {
  const other = startedRunsIn(folder, { suites: [path.join(repository, 'suites')] });
  const id = await other.start({ suite: 'web-ten', trials: 20, concurrency: 1 });
  const root = rootOf(id);
  await expect.poll(() => existsSync(path.join(root, 'episodes')), RUN).toBe(true);
  await other[Symbol.asyncDispose]();
  expect(processesWith(root)).toEqual([]);
  const summary = readReport(root)?.summary;
  expect(summary?.finished).toBeLessThan(200);
  expect(summary?.outcomes).not.toHaveProperty('failed');
  await expect(other.start({ suite: 'web-ten' })).rejects.toThrow('The server is stopping.');
}, 300_000);

test('one attempt is stopped while the run goes on: it is nobody’s failure, the others are counted, and it is tried again', async () => {
  const root = path.join(runs, 'steered');
  const gates = new Map(['send-form 3', 'confirm-dialog 1'].map((at) => [at, Promise.withResolvers<void>()]));
  using requests = watchRunRequests(root);
  const recorded = recordRun(root, PLAYS, {
    signal: requests.signal,
    steering: requests,
    hold: async (task, call) => gates.get(`${task} ${call}`)?.promise,
  });
  await expect.poll(() => existsSync(path.join(root, 'run.json')), SOON).toBe(true);
  const id = readRunFile(root).plan.runId;
  await page.goto(`${app.origin}/app/folders/${id}`);
  const running = page.getByRole('region', { name: 'Running' });
  await expect.poll(() => running.innerText(), SOON).toContain('Step 3');
  expect(await running.innerText()).toContain('reward so far');
  await running.getByRole('button', { name: 'Stop send-form' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  gates.get('send-form 3')?.resolve();
  await expect.poll(() => running.innerText(), SOON).toContain('confirm-dialog');
  await expect
    .poll(() => feedOf(page), SOON)
    .toContain('send-form interrupted: This attempt was stopped from the web app.');
  // The run goes on: what was stopped is tried again after the others.
  await confirm('Retry failed');
  gates.get('confirm-dialog 1')?.resolve();
  await recorded;
  await expect
    .poll(async () => (await rowsOf()).map((row) => row.split(' ').slice(0, 4).join(' ')), SOON)
    .toEqual(['send-form, attempt 2 passed', 'confirm-dialog failed failed done,']);
  const summary = readReport(root)?.summary;
  expect(summary).toMatchObject({
    planned: 2,
    finished: 2,
    passed: 1,
    interrupted: 0,
    outcomes: { passed: 1, failed: 1 },
  });
  const stop = readFileSync(path.join(root, 'episodes/send-form/trial-1/events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .at(-1);
  expect(JSON.parse(stop ?? '')).toMatchObject({
    type: 'stop',
    interrupted: true,
    reason: 'This attempt was stopped from the web app.',
  });
}, 300_000);

test('a stopped attempt that is not tried again is interrupted, and no outcome of the agent', async () => {
  const root = path.join(runs, 'stopped-one');
  const gate = Promise.withResolvers<void>();
  using requests = watchRunRequests(root);
  const recorded = recordRun(root, PLAYS, {
    steering: requests,
    hold: async (task, call) => (task === 'send-form' && call === 2 ? gate.promise : undefined),
  });
  await expect.poll(() => existsSync(path.join(root, 'run.json')), SOON).toBe(true);
  const { runId } = readRunFile(root).plan;
  const ask = (attempt: string) =>
    fetch(`${app.origin}/run-folders/${runId}/attempts/${attempt}/stop`, { method: 'POST' });
  // What has not begun can't be stopped.
  expect((await ask('e2')).status).toBe(409);
  await expect.poll(async () => (await ask('e1')).status, SOON).toBe(202);
  gate.resolve();
  await recorded;
  expect(readReport(root)?.summary).toMatchObject({
    planned: 2,
    finished: 1,
    interrupted: 1,
    outcomes: { failed: 1 },
  });
}, 180_000);

test('a server that was not told so starts nothing, and no request names a path or a program', async () => {
  const post = (body: unknown, pathname = '/run-folders') =>
    fetch(app.origin + pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  for (const request of [
    { suite: '../../fixtures/tasks' },
    { suite: path.join(repository, 'suites/web-ten') },
    { suite: 'web-ten', variant: path.join(repository, 'variants/test-model-oracle.json') },
    { suite: 'web-ten', agent: './agent.ts' },
    { suite: 'web-ten', agent: 'external' },
    { suite: 'web-ten', server: '{"server":"custom","command":["touch","/tmp/x"]}' },
    { suite: 'web-ten', command: 'touch /tmp/x' },
    { suite: 'web-ten', filter: '--out=/tmp/x' },
    { suite: 'web-ten', agent: 'single', model: 'openai:x', baseUrl: 'http://169.254.169.254/latest' },
  ]) {
    const { status } = await post(request);
    expect([request, status >= 400 && status < 500]).toEqual([request, true]);
  }
  const { status } = await fetch(`${app.origin}/run-folders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://evil.example' },
    body: JSON.stringify({ suite: 'web-ten' }),
  });
  expect(status).toBe(403);

  await using other = await openWebApp({ runs: [runs] });
  const refused = await fetch(`${other.origin}/run-folders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ suite: 'web-ten' }),
  });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: 'runs_not_allowed' });
  const closed = await other.open('/start');
  await closed.getByText('This server does not start runs.').waitFor(SOON);
}, 180_000);

test('workers are listed with their load and what they run; without one, the page says how to start one', async () => {
  await page.goto(`${app.origin}/app/`);
  await page.getByRole('link', { name: 'Workers' }).click();
  await expect.poll(() => heading(), SOON).toBe('Workers');
  await page.getByText('waymark worker --database').waitFor(SOON);
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  const facts = { host: 'host-1', version: '1.2.3', labels: ['gpu', 'eu'], concurrency: 4, draining: false };
  await app.store.db.insert(schema.worker).values({ ...facts, id: 'worker-a', running: 3 });
  await app.store.db.insert(schema.worker).values({ ...facts, id: 'worker-b', running: 0, draining: true });
  const rows = page.getByRole('region', { name: 'Workers' }).locator('tbody tr');
  await expect.poll(() => rows.count(), SOON).toBe(2);
  const texts = (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  expect(texts[0]).toMatch(/^host-1 worker-a working 3 of 4 – gpu, eu 1\.2\.3 /);
  expect(texts[1]).toMatch(/^host-1 worker-b draining 0 of 4 /);
  await page.getByText('3 of 8 places taken').waitFor(SOON);
  await expectAccessible(page);
  await expectFits(page);
}, 120_000);
