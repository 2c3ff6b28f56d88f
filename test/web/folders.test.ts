/** Runs in folders, in the web app: while they go on, and afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { makeRun } from '../../bench/make-run.ts';
import { watchRunRequests } from '../../src/runs/index.ts';
import { readRunFile } from '../../src/runs/local.ts';
import { PLAYS, recordRun } from '../cli/record-run.ts';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';

let app: WebApp;
let page: Page;
let runs: string;
beforeAll(async () => {
  runs = mkdtempSync(path.join(tmpdir(), 'waymark-folders-'));
  app = await openWebApp({ runs: [runs] });
  page = await app.open('/runs', { viewport: { width: 1280, height: 800 } });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  rmSync(runs, { recursive: true, force: true });
});
afterEach(() => expect(app.faults).toEqual([]));

const heading = (on: Page = page) => on.getByRole('heading', { level: 1 }).innerText();
const rowsOf = async (on: Page) => {
  const texts = await on.getByRole('region', { name: 'List of attempts' }).locator('tbody tr').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' ').split(' ').slice(0, 2).join(' '));
};

test('a run is seen while it goes on, by who was there and by who comes late, and is stopped from the page', async () => {
  const root = path.join(runs, 'live');
  const gates = new Map(
    ['send-form 3', 'send-form 7', 'confirm-dialog 1'].map((at) => [at, Promise.withResolvers<void>()]),
  );
  using requests = watchRunRequests(root);
  const recorded = recordRun(root, PLAYS, {
    signal: requests.signal,
    hold: async (task, call) => gates.get(`${task} ${call}`)?.promise,
  });
  const row = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
  await row.getByText('running').waitFor({ timeout: SOON.timeout });
  await row.getByRole('rowheader').getByRole('link').first().click();
  await expect.poll(() => heading(), SOON).toMatch(/^Run /);
  const running = page.getByRole('region', { name: 'Running' });
  await expect.poll(() => running.innerText(), SOON).toContain('Step 3');
  const decoded = await running
    .locator('img')
    .first()
    .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth));
  expect(decoded).toBeGreaterThan(100);
  expect(await rowsOf(page)).toEqual(['send-form running', 'confirm-dialog pending']);

  // The journal grows, and the page with it, without being loaded again.
  gates.get('send-form 3')?.resolve();
  await expect.poll(() => running.innerText(), SOON).toContain('Step 7');
  const late = await app.open(`/folders/${readRunFile(root).plan.runId}`);
  await late.getByRole('region', { name: 'Running' }).waitFor();
  const told = async (on: Page) =>
    (await on.getByRole('region', { name: 'Running' }).innerText()).replace(/[\d.]+ s of at most/, '… of at most');
  await expect.poll(() => told(late), SOON).toBe(await told(page));
  await late.context().close();

  gates.get('send-form 7')?.resolve();
  await expect.poll(() => rowsOf(page), SOON).toEqual(['send-form passed', 'confirm-dialog running']);
  await page.getByRole('button', { name: 'Stop the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the run' }).click();
  await expect.poll(() => requests.signal.aborted, SOON).toBe(true);
  gates.get('confirm-dialog 1')?.resolve();
  await recorded;
  await expect.poll(() => page.getByRole('button', { name: 'Stop the run' }).count(), SOON).toBe(0);
  await expect.poll(() => page.getByRole('note').innerText(), SOON).toContain('1 of 2 has not finished: 1 interrupted');
}, 180_000);

test('an attempt has its own page, with the step in the address; axe finds nothing serious, and it fits', async () => {
  await page.getByRole('region', { name: 'List of attempts' }).getByRole('link', { name: 'send-form' }).click();
  await expect.poll(() => heading(), SOON).toBe('send-form');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => new URL(page.url()).search).toMatch(/^\?step=\d+$/);
  await page.reload();
  await expect.poll(() => page.locator('.v-step[aria-current=step] .v-step-number').innerText(), SOON).toBe('2');
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goBack();
  await expect.poll(() => heading(), SOON).toMatch(/^Run /);
  await page.getByRole('region', { name: 'List of attempts' }).waitFor();
  await expectAccessible(page);
  await expectFits(page);
});

test('a long list that is filtered where it was scrolled to its end shows at once what is left', async () => {
  const root = path.join(runs, 'many');
  await makeRun(root, 1_000);
  await page.goto(`${app.origin}/app/folders/${readRunFile(root).plan.runId}`);
  const list = page.getByRole('region', { name: 'List of attempts' });
  await list.getByRole('link', { name: 'case-1', exact: true }).waitFor(SOON);
  await list.evaluate((box) => {
    box.scrollTop = box.scrollHeight;
  });
  await list.getByRole('link', { name: 'case-1000', exact: true }).waitFor(SOON);
  await page.getByLabel('Case').fill('case-777');
  await page.getByText('1 of 1000', { exact: true }).waitFor(SOON);
  expect(await rowsOf(page)).toEqual([expect.stringMatching(/^case-777 /)]);
});

test('no path leads out of the folders that are shown', async () => {
  const { runId } = readRunFile(path.join(runs, 'live')).plan;
  for (const pathname of [
    `/run-folders/${runId}/attempts/e1/screenshots/..%2Fevents.jsonl`,
    `/run-folders/${runId}/attempts/e1/screenshots/%2e%2e`,
    `/run-folders/${runId}/attempts/e99`,
    `/run-folders/${runId}/attempts/constructor`,
    '/run-folders/..%2F..%2Fetc',
    '/run-folders/no-such-run/events',
  ]) {
    const { status } = await fetch(app.origin + pathname);
    expect([pathname, status < 500 && status >= 400]).toEqual([pathname, true]);
  }
  const { status } = await fetch(`${app.origin}/run-folders/${runId}/stop`, { method: 'POST' });
  expect(status).toBe(409);
});
