import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { ITEMS, toJsonl } from './seed.ts';

let app: WebApp;
let models: ModelServer;
let page: Page;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-upload-'));
  [app, models] = await Promise.all([openWebApp(), startModelServer()]);
  page = await app.open('/datasets');
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(app.faults).toEqual([]));

const goto = (pathname: string) => page.goto(`${app.origin}/app${pathname}`);
const file = (name: string, text: string): string => {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
};
const textOf = async (selector: string) => (await page.locator(selector).innerText()).replace(/\s+/g, ' ');
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement;
    return `${element?.tagName} ${element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''}`;
  });
/** Presses Tab until the focus is there: what can't be reached by it is not for the keyboard. */
async function tabTo(wanted: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if ((await focused()) === wanted) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${wanted}; it is at ${await focused()}.`);
}

test('by keyboard alone: a dataset is uploaded, opened, exported and deleted', async () => {
  await goto('/datasets');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo('BUTTON Upload a dataset');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Upload a dataset' });
  await dialog.waitFor();
  // The window of the system that chooses files is not ours to drive.
  await tabTo('INPUT ');
  await dialog.getByLabel('File').setInputFiles(file('Everyday.jsonl', toJsonl(ITEMS)));
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.keyboard.type(' things');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('H1 Everyday things');
  await expect.poll(() => textOf('main'), SOON).toContain('22 items');

  await tabTo('A Export JSONL');
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toMatch(/\.jsonl$/);

  await tabTo('BUTTON Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('BUTTON Delete');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo('BUTTON Keep');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(focused).toBe('H1 Datasets');
  await page.getByText('There are no datasets yet.').waitFor();
  await expect.poll(() => page.getByRole('status').first().innerText(), SOON).toBe('Everyday things is deleted.');
});

test('a file with wrong lines is refused with a report line by line, and nothing is stored', async () => {
  await goto('/datasets');
  await page.getByRole('button', { name: 'Upload a dataset' }).click();
  const lines = [
    '{"id":"a","type":"numeric","prompt_text":"1 + 1?","answer":2}',
    '{"id":"b","type":"numeric","prompt_text":"2 + 2?","answer":"four"}',
    '{"id":"a","type":"freeform","prompt_text":"Again?"}',
    'not JSON',
  ];
  await page
    .getByRole('dialog')
    .getByLabel('File')
    .setInputFiles(file('wrong.jsonl', lines.join('\n')));
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('alert').waitFor();
  const report = await textOf('[role=alert]');
  expect(report).toContain("3 of 4 lines can't be used. dataset_invalid");
  expect(report).toMatch(/line 2 .*must be a number.* item b/);
  expect(report).toMatch(/line 3 .* item a/);
  expect(report).toContain('line 4');
  await expectAccessible(page);
  await expectFits(page);
  expect(await app.api('GET', '/datasets')).toEqual({ datasets: [] });
});

test('a provider is added, tried, edited and deleted; a key in the place of its name never leaves the form', async () => {
  await goto('/providers');
  await page.getByRole('button', { name: 'Add a provider' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Local');
  await dialog.getByLabel('Kind').selectOption('openai-compatible');
  await dialog.getByLabel('Base URL').fill(models.baseUrl);
  await dialog.getByLabel(/environment variable/).fill('sk-this-is-a-key');
  await dialog.getByRole('button', { name: 'Save' }).click();
  expect(
    await dialog.getByLabel(/environment variable/).evaluate((input: HTMLInputElement) => input.validity.valid),
  ).toBe(false);
  expect(await app.api('GET', '/providers')).toEqual({ providers: [] });
  await expectAccessible(page);
  await expectFits(page);
  await dialog.getByLabel(/environment variable/).fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Test Local' }).click();
  await dialog.getByLabel('Model').fill('echo');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Answered in .* as echo-2026-01-01$/).waitFor();
  await dialog.getByLabel('Model').fill('always-401');
  await page.keyboard.press('Enter');
  await dialog.getByText('The model did not answer').waitFor();
  await expect.poll(() => textOf('dialog .notice'), SOON).toContain('401');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Edit Local' }).click();
  await dialog.getByLabel('Base URL').fill('http://169.254.169.254/v1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => textOf('dialog [role=alert]'), SOON).toContain('url_refused');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Delete Local' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no providers yet.').waitFor();
});

test('a server that is gone is said, and a retry brings the page back', async () => {
  await page.route('**/all-runs?*', (route) => route.abort());
  await goto('/runs');
  const alert = page.getByRole('alert');
  await alert.waitFor();
  await expect.poll(() => alert.innerText(), SOON).toContain('The server does not answer.');
  app.faults.splice(0);
  await page.unroute('**/all-runs?*');
  await alert.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('There are no runs yet.').waitFor();
});
