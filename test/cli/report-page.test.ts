/** report.html in a real browser, opened as a file. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hostileJournals, madeReport } from '../support/made-report.ts';
import { launchChromium } from '../web/app.ts';
import { expectAccessible, expectFits } from '../web/checks.ts';
import { type Folder, temporaryFolder } from './command-line.ts';
import { recordRun } from './record-run.ts';

let browser: Browser;
let page: Page;
let run: Folder;
/** What a reader must never meet: console messages, script errors, dialogs. */
const faults: string[] = [];
/** The pictures of made journals were never taken. */
let mayMissPictures = false;
/** Everything that the page asked for. */
const asked: string[] = [];
beforeAll(async () => {
  run = temporaryFolder();
  [browser] = await Promise.all([launchChromium(), recordRun(run.path)]);
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('console', (message) => {
    if (!mayMissPictures || !message.text().includes('ERR_FILE_NOT_FOUND')) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => asked.push(request.url()));
});
afterAll(async () => {
  await browser?.close();
  run?.[Symbol.dispose]();
});
afterEach(() => expect(faults.splice(0)).toEqual([]));

async function open(hash = '', folder = run.path): Promise<void> {
  // From another page, because a change of the fragment alone loads nothing.
  await page.goto('about:blank');
  asked.splice(0);
  await page.goto(`${pathToFileURL(path.join(folder, 'report.html')).href}${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
const heading = () => page.getByRole('heading', { level: 1 }).innerText();
const current = () => page.locator('.v-step[aria-current=step] .v-step-number').innerText();

test('opens without a network: the run with its rates, one row per attempt, each reward drawn and told', async () => {
  await open();
  expect(asked.map((url) => path.basename(url))).toEqual(['report.html']);
  expect(await page.title()).toMatch(/^1 of 2 passed: Run /);
  const rows = page.getByRole('region', { name: 'List of attempts' }).locator('tbody tr');
  const names = await rows.allInnerTexts();
  expect(names.map((text) => text.replace(/\s+/g, ' ').slice(0, 22))).toEqual([
    'send-form passed passe',
    'confirm-dialog failed ',
  ]);
  const bars = rows.first().getByRole('img');
  expect(await bars.getAttribute('aria-label')).toMatch(/^Reward of each step: 0, \+0\.3, −0\.3, /);
  expect(await page.getByRole('region', { name: 'Pass rate, strict' }).innerText()).toMatch(
    /50 %\s+1 of 2[\s\S]*95 % interval/,
  );
  for (const title of ['Statistics', 'Reward', 'Wandering'])
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
});

test('an attempt: pictures, steps, contract, log and provenance; the address names the step, and the keys move', async () => {
  await open('#e1');
  expect(await heading()).toBe('send-form');
  expect(asked.filter((url) => !url.startsWith('data:')).map((url) => path.basename(url.replace(/#.*/, '')))).toEqual([
    'report.html',
  ]);
  expect(await page.locator('.v-thumb').count()).toBeGreaterThan(2);
  const loaded = await page
    .locator('img.v-picture')
    .evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth));
  expect(loaded).toBeGreaterThan(100);
  expect(await current()).toBe('·');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await current()).toBe('2');
  const address = new URL(page.url()).hash;
  expect(address).toMatch(/^#e1-\d+$/);
  await page.keyboard.press('k');
  expect(await current()).toBe('1');
  await open(address);
  expect(await current()).toBe('2');
  const at = () => page.getByRole('slider', { name: 'Picture' }).inputValue();
  const before = Number(await at());
  await page.keyboard.press('ArrowRight');
  await expect.poll(at).toBe(String(before + 1));
  await page.keyboard.press('ArrowLeft');
  await expect.poll(at).toBe(String(before));
  await page.keyboard.press('/');
  await page.keyboard.type('no step says this');
  await page.getByText(/^0 of \d+ steps$/).waitFor();
  for (const title of [/^Contract at the end: /, /^Network, console/, 'Numbers', 'Provenance'])
    await page.getByRole('heading', { name: title }).first().waitFor();
});

test('by keyboard alone: from the run to what did not pass, and back', async () => {
  await open();
  await page.getByLabel('only what did not pass').focus();
  await page.keyboard.press('Space');
  const rows = page.getByRole('region', { name: 'List of attempts' }).locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('link', { name: 'confirm-dialog' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(heading).toBe('confirm-dialog');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  await page.getByRole('link', { name: 'The run' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(heading).toMatch(/^Run /);
});

test.each(['', '#e2'])(
  'axe finds nothing serious, and nothing is wider than the window: report.html%s',
  async (hash) => {
    await open(hash);
    await page.evaluate(() => {
      for (const one of document.querySelectorAll('details')) one.open = true;
    });
    await expectAccessible(page);
    await expectFits(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  },
);

test.each([
  ['in the page', undefined],
  ['as files beside it', { inlineText: 10, chunkText: 1e9 }],
])('what pages, tools and agents say stays text; attempts %s', async (_where, limits) => {
  using made = temporaryFolder();
  await madeReport(made.path, hostileJournals(), limits);
  mayMissPictures = true;
  await open('', made.path);
  for (let number = 1; number <= 7; number++) {
    await open(`#e${number}`, made.path);
    await page.getByRole('heading', { name: 'Provenance' }).waitFor();
    expect(await page.locator('img[onerror], a[href^="javascript:"], #root script').count()).toBe(0);
    expect(await page.locator('#root').innerText()).toContain('<img src=x onerror=alert(1)>');
  }
});
