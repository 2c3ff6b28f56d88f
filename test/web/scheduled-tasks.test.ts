/** What people do with a suite beyond one run, in the web app and in real Chromium on both sides: put it on a schedule, quarantine a case. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readReport, type StartedRuns } from '../../src/runs/index.ts';
import { schema } from '../../src/store/index.ts';
import { startedRunsIn } from '../support/started-runs.ts';
import { openWebApp, SOON, savedBy, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { KEPT_CASE, keepSuite } from './kept-suite.ts';

/** A run in a process of its own: browsers are started, on a machine that does other things too. */
const RUN = { timeout: 120_000, interval: 50 };

let app: WebApp;
let page: Page;
let folder: string;
let suite: string;
let started: StartedRuns;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-scheduled-'));
  suite = keepSuite(folder);
  started = startedRunsIn(folder, { suites: [suite] });
  app = await openWebApp({ runs: [path.join(folder, 'runs')], started });
  page = await app.open('/start', { viewport: { width: 1280, height: 800 } });
}, 120_000);
afterAll(async () => {
  await started?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(app.faults).toEqual([]));

test('a run of tasks is put on a schedule from the page that starts one, run at once, disabled, changed and deleted', async () => {
  await page.getByLabel('Suite').selectOption('kept');
  await page.getByRole('link', { name: 'Run on a schedule' }).click();
  await page.getByRole('heading', { name: 'New schedule of browser tasks' }).waitFor(SOON);
  expect(await page.getByLabel('Suite').inputValue()).toBe('kept');
  await page.getByLabel('Name').fill('Nightly tasks');
  await page.getByLabel('Tokens in all').fill('5000');
  await expect
    .poll(() => page.getByRole('region', { name: 'Save' }).innerText(), RUN)
    .toContain('1 (1 task × 1 trial)');
  await expectFits(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Create the schedule' }).click();
  const row = page.getByRole('row', { name: /Nightly tasks/ });
  await row.getByText(/in \d+ (hours?|days?|minutes?)|tomorrow/).waitFor(SOON);
  expect(await row.innerText()).toMatch(/kept, scripted on embedded[\s\S]*0 3 \* \* \*[\s\S]*none yet/);

  const [exported] = JSON.parse(await savedBy(page.getByRole('button', { name: 'Export JSON' })));
  expect(exported).toMatchObject({
    kind: 'tasks',
    dataset: null,
    suite: 'kept',
    provider: null,
    agent: 'scripted on embedded',
  });

  await row.getByRole('button', { name: 'Run now: Nightly tasks' }).click();
  await row.getByText('completed', { exact: true }).waitFor(RUN);
  expect(await row.innerText()).toContain('0 of 1 passed');
  await expectFits(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole('button', { name: 'Disable Nightly tasks' }).click();
  await row.getByText('disabled', { exact: true }).waitFor(SOON);
  await row.getByRole('link', { name: 'Edit Nightly tasks' }).click();
  await page.getByRole('heading', { name: 'Edit Nightly tasks' }).waitFor(SOON);
  await page.getByLabel('Trials').fill('2');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Edit Nightly tasks' }).waitFor({ state: 'detached' });
  const { schedules } = (await app.api('GET', '/schedules')) as { schedules: Record<string, unknown>[] };
  expect(schedules).toMatchObject([
    { enabled: false, tasks: { suite: 'kept', agent: 'scripted', trials: 2, maxRunTokens: 5000 }, blocker: null },
  ]);
  await row.getByRole('cell').getByRole('link').first().click();
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText(), SOON).toBe('kept, scripted on embedded');
  await page.goBack();
  await row.getByRole('button', { name: 'Delete Nightly tasks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no schedules yet.').waitFor(SOON);
}, 400_000);

test('a server that may start no runs shows a schedule of tasks with the reason that none is started, and no form', async () => {
  await using closed = await openWebApp();
  const times = { name: 'Left alone', cron: '0 3 * * *', nextRunAt: new Date('2026-01-01T03:00:00Z') };
  await closed.store.db.insert(schema.schedule).values({ ...times, config: { suite: 'kept' } });
  const other = await closed.open('/schedules');
  const row = other.getByRole('row', { name: /Left alone/ });
  await row.getByText('This server does not start runs. Start it with --allow-runs yes').waitFor(SOON);
  expect(await row.innerText()).toContain('none here');
  await expectAccessible(other);
  await other.getByRole('link', { name: 'Schedule browser tasks' }).click();
  await other.getByRole('region', { name: 'Schedules' }).waitFor(SOON);
  await expect.poll(() => other.getByText('This server does not start runs.', { exact: true }).count(), SOON).toBe(1);
  // It can be disabled all the same.
  await row.getByRole('button', { name: 'Disable Left alone' }).click();
  await row.getByText('disabled', { exact: true }).waitFor(SOON);
  expect(closed.faults).toEqual([]);
}, 120_000);

test('a case is quarantined from the page of an attempt: its file says so, later runs count it apart, and this run stays', async () => {
  const file = path.join(suite, `${KEPT_CASE}.task.json`);
  const before = readFileSync(file, 'utf8');
  const ended = async () => {
    const { id } = await app.api('POST', '/run-folders', { suite: 'kept' });
    await expect
      .poll(() => app.api('GET', `/all-runs/${id}`), RUN)
      .toMatchObject({ state: 'completed', done: expect.any(Number) });
    const { folder: root } = await app.api('GET', `/run-folders/${id}/actions`);
    return { id: String(id), root: String(root) };
  };
  const first = await ended();
  const report = JSON.stringify(readReport(first.root));
  await page.goto(`${app.origin}/app/folders/${first.id}`);
  await page.getByRole('region', { name: 'List of attempts' }).getByRole('link', { name: KEPT_CASE }).first().click();
  await page.getByRole('button', { name: 'Quarantine' }).click(SOON);
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Quarantine', exact: true });
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByLabel('Reason').fill('The heading changes by the hour.');
  await dialog.getByLabel('Until').fill('2199-12-31');
  await expectAccessible(page);
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
  const quarantine = { reason: 'The heading changes by the hour.', until: '2199-12-31' };
  // Nothing else of the file has changed.
  expect(readFileSync(file, 'utf8')).toBe(`${JSON.stringify({ ...JSON.parse(before), quarantine }, null, 2)}\n`);
  expect(JSON.stringify(readReport(first.root))).toBe(report);

  const second = await ended();
  expect(readReport(second.root).summary).toMatchObject({
    planned: 0,
    quarantined: [{ taskId: KEPT_CASE, ...quarantine, finished: 1, passed: 0 }],
  });
  const ask = async (body: object) =>
    (
      await fetch(`${app.origin}/run-folders/${first.id}/quarantine`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ caseId: KEPT_CASE, ...quarantine, ...body }),
      })
    ).status;
  expect(await ask({ caseId: 'none' })).toBe(404);
  expect(await ask({ caseId: '../kept' })).toBe(404);
  expect(await ask({ until: 'soon' })).toBe(400);
  expect(await ask({ reason: '' })).toBe(400);
}, 300_000);
