/** Runs of agents in the web app beside all others: one list, home, an experiment, a comparison with both pictures, and runs that workers execute. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DatabaseRunStore } from '../../src/runs/index.ts';
import { madeEpisodes, recordEpisodes, storeEpisodes } from '../support/made-episodes.ts';
import { openWebApp, SOON, savedBy, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { seed, type World } from './seed.ts';

let app: WebApp;
let page: Page;
let world: World;
let runs: string;
const ids = { before: '', after: '', stored: '' };
const CASES = ['buy', 'cancel', 'search', 'sign-in'];
/** A name from outside stays text. */
const EXPERIMENT = 'servers & <b>prompts</b>';

beforeAll(async () => {
  runs = mkdtempSync(path.join(tmpdir(), 'waymark-all-runs-'));
  app = await openWebApp({ runs: [runs] });
  world = await seed(app);
  const made = { cases: CASES, trials: 2, experiment: EXPERIMENT };
  ids.before = await recordEpisodes(path.join(runs, 'before'), {
    ...made,
    createdAt: '2026-01-01T00:00:00Z',
    passes: () => true,
  });
  ids.after = await recordEpisodes(path.join(runs, 'after'), {
    ...made,
    createdAt: '2026-01-02T00:00:00Z',
    server: 'playwright',
    passes: (caseId) => caseId === 'buy',
  });
  ids.stored = await storeEpisodes(new DatabaseRunStore({ store: app.store, artifacts: app.artifacts }), {
    ...made,
    createdAt: '2026-01-03T00:00:00Z',
    server: 'devtools',
    passes: (caseId) => caseId !== 'buy',
  });
  page = await app.open('/runs', { viewport: { width: 1280, height: 900 } });
}, 300_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
  rmSync(runs, { recursive: true, force: true });
});
afterEach(() => expect(app.faults).toEqual([]));

const goto = (pathname: string) => page.goto(`${app.origin}/app${pathname}`);
const textOf = async (part: Locator) => (await part.innerText()).replace(/\s+/g, ' ');
const says = (part: Locator, text: string | RegExp) => expect.poll(() => textOf(part), SOON).toMatch(text);
const rows = () => page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
const heading = () => page.getByRole('heading', { level: 1 }).innerText();

test('runs of all kinds are in one list: filtered, counted and exported together', async () => {
  await expect.poll(() => rows().count(), SOON).toBe(6);
  await says(page.getByRole('region', { name: 'Runs' }), '6 runs Export CSV');
  await page.getByLabel('Kind').selectOption('Agents in browsers');
  await expect.poll(() => rows().count(), SOON).toBe(3);
  await says(rows().nth(0), /shop, scripted on devtools agent in browsers .* completed 75\.0 % 100\.0 % 8\/8/);
  await says(rows().nth(1), /shop, scripted on playwright .* completed 25\.0 % 100\.0 % 8\/8/);
  expect(page.url()).toContain('kind=agent');
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  const lines = (await savedBy(page.getByRole('link', { name: 'Export CSV' }))).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(ids.stored);
  await page.getByLabel('Search').fill('playwright');
  await expect.poll(() => rows().count(), SOON).toBe(1);
});

test('home has runs of agents among the latest, and links to them', async () => {
  await goto('/');
  const latest = page.getByRole('region', { name: 'Latest runs' });
  await says(latest, /shop, scripted on devtools 75\.0 %/);
  const agents = page.getByRole('table', { name: 'Agents on suites' }).locator('tbody tr');
  await says(agents.nth(0), /^scripted on devtools 75\.0 % 41 % to 93 %, 6 of 8$/);
  await says(agents.nth(1), /^scripted on playwright 25\.0 % 7 % to 59 %, 2 of 8$/);
  expect(await agents.count()).toBe(3);
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await latest.getByRole('link', { name: 'shop, scripted on devtools' }).first().click();
  await expect.poll(heading, SOON).toBe('shop, scripted on devtools');
});

test('a run that workers execute has the page of a run in a folder, with attempts and pictures', async () => {
  await goto(`/folders/${ids.stored}`);
  const matrix = page.getByRole('region', { name: 'Cases by trials' });
  await expect.poll(() => matrix.getByRole('link').count(), SOON).toBe(8);
  await matrix.getByRole('link', { name: /^cancel, trial 1: passed/ }).click();
  await expect.poll(heading, SOON).toBe('cancel');
  const picture = page.locator('.v-frame img, .v-filmstrip img, img').first();
  await picture.waitFor({ timeout: SOON.timeout });
  expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(1);
});

test('an experiment has its runs with intervals, and each case in each run; two are compared from it', async () => {
  await goto('/runs?kind=agent');
  await page
    .getByRole('link', { name: `experiment ${EXPERIMENT}` })
    .first()
    .click();
  await expect.poll(heading, SOON).toBe(`Experiment ${EXPERIMENT}`);
  const table = page.getByRole('table', { name: 'Runs of the experiment' });
  await expect.poll(() => table.locator('tbody tr').count(), SOON).toBe(3);
  await says(table.locator('tbody tr').nth(1), /B: shop, scripted on playwright .* 25\.0 % 7 % to 59 %, 2 of 8 2\/8/);
  const matrix = page.getByRole('region', { name: 'Outcomes of cases by runs' });
  await says(matrix.getByRole('row', { name: /^cancel/ }), /trial 1 of A: passed.*trial 1 of B: failed.*of C: passed/);
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  // By keyboard: the boxes are reached and ticked, and the link is followed.
  await table.getByRole('checkbox').nth(0).focus();
  await page.keyboard.press('Space');
  await table.getByRole('checkbox').nth(1).focus();
  await page.keyboard.press('Space');
  await page.getByRole('link', { name: 'Compare these two' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.url(), SOON).toContain(`a=${ids.before}&b=${ids.after}`);
});

test('two runs of agents are compared as the command does it, with where they part and both pictures', async () => {
  await goto(`/compare?a=${ids.before}&b=${ids.after}`);
  await says(
    page.getByRole('main'),
    /scripted on playwright is worse than scripted on embedded: −75\.0 points over 8 pairs/,
  );
  await says(page.getByRole('region', { name: 'Cases that differ' }), /6 .*cancel passed failed/);
  const parted = page.getByRole('article').filter({ hasText: 'cancel: passed in scripted on embedded' });
  await says(parted, /From step 2 on they differ: click #buy and click #help/);
  const images = parted.locator('img');
  expect(await images.count()).toBe(2);
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    expect(await image.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(1);
  }
  await expectAccessible(page);
  await expectFits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await parted.getByRole('link', { name: 'Open this step of cancel of B' }).click();
  await expect.poll(heading, SOON).toBe('cancel');
  await expect.poll(() => page.locator('.v-step[aria-current=step] .v-step-number').innerText(), SOON).toBe('2');
});

test('what can not be compared is refused with a sentence', async () => {
  await goto(`/compare?a=${ids.before}&b=${world.good}`);
  await says(page.getByRole('alert'), 'is of questions of a stored dataset');
  await goto('/runs');
  await page.getByRole('checkbox').first().check();
  await page.getByLabel('Kind').selectOption('Agents in browsers');
  await expect.poll(() => rows().count(), SOON).toBe(3);
  await page.getByRole('checkbox').first().check();
  await says(page.locator('.picked'), 'One of these is of questions and the other of an agent’s tasks');
});

test('a run that goes on in the database is live: its row changes without a reload', async () => {
  const database = new DatabaseRunStore({ store: app.store, artifacts: app.artifacts });
  const { plan, attempts } = madeEpisodes({ cases: ['buy'], createdAt: new Date().toISOString(), passes: () => true });
  await database.create(plan);
  const [claim] = await database.claim(plan.runId, 'a worker', 1);
  if (!claim) throw new Error('Nothing was claimed.');
  await using writer = await database.open(claim);
  const [first, ...rest] = attempts[0]?.events ?? [];
  const append = (event: typeof first) => {
    const { seq: _seq, time: _time, ...given } = event ?? {};
    writer.append(given as Parameters<typeof writer.append>[0]);
  };
  append(first);
  for (const event of rest.slice(0, 3)) append(event);
  await writer.flush();
  await goto(`/folders/${plan.runId}`);
  const list = page.getByRole('region', { name: 'List of attempts' });
  await says(list, /buy running/);
  await says(page.getByRole('main'), 'running, live');
  for (const event of rest.slice(3)) append(event);
  await writer.finish();
  await says(list, /buy passed/);
  await database.end(plan.runId, Date.now());
  await expect.poll(() => textOf(page.getByRole('main')), SOON).not.toContain('running, live');
});

test('an agent that was run again on the same tasks has a trend on the home page', async () => {
  const mail = (folder: string, createdAt: string, passes: (caseId: string) => boolean) =>
    recordEpisodes(path.join(runs, folder), { cases: CASES, suite: 'mail', createdAt, passes });
  await mail('first', '2026-01-04T00:00:00Z', () => true);
  const again = await mail('again', '2026-01-05T00:00:00Z', (caseId) => caseId !== 'buy');
  await goto('/');
  const trend = page.getByRole('region', { name: 'Trends' }).getByRole('listitem').filter({ hasText: 'mail' }).first();
  await says(trend, /^mail 2 runs .*scripted on embedded: 75\.0 % after 100\.0 %/);
  await trend.getByRole('link', { name: '75.0 %' }).click();
  await expect.poll(() => page.url(), SOON).toContain(`/folders/${again}`);
  await expect.poll(heading, SOON).toBe('mail, scripted on embedded');
});
