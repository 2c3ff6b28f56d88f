/** Home, and what every list has: search, order, total, export. On wide screens and on phones. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openWebApp, SOON, savedBy, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { CHATGPT, importCapture, scoringEnded, seed, toJsonl, type World } from './seed.ts';

let app: WebApp;
let world: World;
let page: Page;
/** A long list under a long name with a mark that turns the direction of text. */
let long: { dataset: string; run: string };
const TURNED = 'invoice\u202Egpj.exe';
const LONG = `${TURNED} ${'without-a-space-'.repeat(10)}`;
beforeAll(async () => {
  app = await openWebApp();
  [world, page] = await Promise.all([seed(app), app.open('/')]);
  const items = Array.from({ length: 120 }, (_, n) => ({
    id: `question-${n + 1}-${'x'.repeat(40)}`,
    type: 'freeform',
    section: `section ${n % 3}`,
    prompt_text: `Question ${n + 1}? ${'Please answer in one word, and think about it first. '.repeat(4)}`,
    answer: 'yes',
  }));
  const made = await app.upload(`/datasets/import?name=${encodeURIComponent(LONG)}`, toJsonl(items));
  const dataset = (made['dataset'] as { id: string }).id;
  const judge = { provider_id: world.provider, model: 'judge-1', prompt: '' };
  const say = () => 'It is impossible to say that in one word, so I will use several. '.repeat(3);
  const run = await importCapture(app, { dataset, target: CHATGPT, judge, say });
  await scoringEnded(app, run);
  await app.api('PATCH', `/runs/${run}`, { label: LONG });
  long = { dataset, run };
  const schedule = { dataset_id: world.dataset, provider_id: world.provider, model: 'm', cron: '0 3 * * *' };
  await app.api('POST', '/schedules', { ...schedule, name: 'Every night', judge, enabled: false });
}, 180_000);
afterAll(async () => {
  await world?.[Symbol.asyncDispose]();
  await app?.[Symbol.asyncDispose]();
});
afterEach(() => expect(app.faults).toEqual([]));

const goto = (pathname: string) => page.goto(`${app.origin}/app${pathname}`);
const region = (name: string) => page.getByRole('region', { name, exact: true });
const textOf = async (part: Locator) => (await part.innerText()).replace(/\s+/g, ' ');
const says = (part: Locator, text: string | RegExp) => expect.poll(() => textOf(part), SOON).toMatch(text);

test('home shows what ran last, what failed and why, each model on each dataset with its interval, and trends', async () => {
  await goto('/');
  await says(page.getByRole('main'), '4 runs, 2 datasets, 0 in progress.');
  await says(
    region('Latest runs').getByRole('listitem').nth(1),
    /^ChatGPT Web, evening 100\.0 % Everyday knowledge on/,
  );
  const failed = region('What failed').getByRole('listitem');
  await says(failed.first(), /partly scored .*The judge could not be asked: The endpoint replied 500/);
  await says(failed.nth(1), /errors 1 of 22 items ended with an error\. self-reported capture/);
  const table = page.getByRole('table', { name: 'Models on datasets' });
  await says(table, /GPT-5, GPT-5 mini ChatGPT Web self-reported capture/);
  await says(table.getByRole('row', { name: /Everyday knowledge/ }), /95\.0 % 76 % to 99 % 91 % scored/);
  await says(
    region('Trends'),
    /Everyday knowledge 3 runs .*Gemini 3 Pro · Gemini Web · self-reported capture: 59\.1 %/,
  );
  await expect.poll(() => region('Trends').getByRole('heading', { level: 3 }).count()).toBe(2);
  const file = await savedBy(region('Models on datasets').getByRole('button', { name: 'Export CSV' }));
  expect(file).toMatch(/^"dataset","provider","model","surface","accuracy"/);
  expect(file.trimEnd().split('\r\n')).toHaveLength(5);
  await expectAccessible(page);
  await table.getByRole('link', { name: '95.0 %' }).click();
  await expect.poll(() => page.url()).toContain(`/runs/${world.good}`);
});

test('a run is renamed and tagged; its name is in the title, in lists and in pickers, and its tag finds it', async () => {
  await goto(`/runs/${world.worse}`);
  await page.getByRole('button', { name: 'Rename or tag' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Label').fill('Baseline of May');
  await dialog.getByLabel('Tags').fill('release, gemini , release');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.title()).toBe('Baseline of May · Waymark');
  await region('About the run').getByRole('link', { name: 'release' }).click();
  const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
  await says(rows.first(), /^ ?Baseline of May Everyday knowledge on Gemini Web .* release gemini/);
  expect(await rows.count()).toBe(1);
  await goto('/compare');
  await says(page.getByRole('combobox', { name: 'Run A' }), 'Baseline of May, Everyday knowledge on Gemini Web');
});

test('the list of runs is searched, ordered, counted and exported as it is shown', async () => {
  await goto('/runs');
  const list = region('Runs');
  const rows = list.locator('tbody tr');
  await says(list, '4 runs Export CSV');
  await page.getByLabel('Order').selectOption('Lowest accuracy first');
  await says(rows.nth(1), 'Gemini');
  await page.getByLabel('Search').fill('everyday');
  await says(list, '3 runs found');
  await says(rows.first(), 'Gemini');
  const lines = (await savedBy(list.getByRole('link', { name: 'Export CSV' }))).trimEnd().split('\r\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toContain(world.worse);
  expect(page.url()).toContain('sort=worst');
  expect(page.url()).toContain('text=everyday');
});

test.each([
  ['datasets', () => '/datasets', 'Datasets', 'everyday', '1 of 2 datasets', 'Everyday knowledge'],
  ['providers', () => '/providers', 'Providers', 'local', '1 provider', 'Local models'],
  ['schedules', () => '/schedules', 'Schedules', 'night', '1 schedule', 'Every night'],
  [
    'differences',
    () => `/compare?a=${world.good}&b=${world.worse}`,
    'Where they differ',
    'sum-7',
    '1 of 10 items',
    'sum-7',
  ],
])('the list of %s is searched, ordered, counted and exported', async (_, at, name, text, total, exported) => {
  await goto(at());
  const list = region(name);
  await list.getByLabel('Search').fill(text);
  await says(list, `${total} Export CSV`);
  const file = await savedBy(list.getByRole('button', { name: 'Export CSV' }));
  expect(file.trimEnd().split('\r\n')).toHaveLength(2);
  expect(file).toContain(exported);
  const json: unknown = JSON.parse(await savedBy(list.getByRole('button', { name: 'Export JSON' })));
  expect(json).toHaveLength(1);
  const names = await list.getByLabel('Order').locator('option').allInnerTexts();
  expect(names.length).toBeGreaterThan(2);
  await list.getByLabel('Search').fill('there is no such thing');
  await list.getByRole('button', { name: 'Clear the search' }).click();
  await expect.poll(() => list.getByLabel('Search').inputValue()).toBe('');
});

test('the items of a dataset and of a run are searched, ordered, counted and exported', async () => {
  await goto(`/datasets/${world.dataset}`);
  const items = region('Items');
  await items.getByLabel('Order').selectOption('By id');
  await says(items.locator('.items > li').first(), /^capital-canada/);
  await items.getByLabel('Search').fill('Lima');
  await says(items, '1 of 22 items');
  expect((await savedBy(items.getByRole('link', { name: 'Export JSONL' }))).trimEnd().split('\n')).toHaveLength(22);
  await page.getByRole('link', { name: 'Make a pack' }).click();
  await expect.poll(() => page.getByLabel('Dataset').inputValue(), SOON).toBe(world.dataset);
  await goto(`/runs/${world.good}`);
  await items.getByLabel('Text').fill('capital');
  await says(items, '6 of 22 items');
  const csv = await savedBy(items.getByRole('link', { name: 'Export CSV' }));
  expect(csv).toContain('"It is 12."');
});

test.each([320, 375])('at %i px: one row of navigation, folded filters, no page of 8,000 px', async (width) => {
  const phone = await app.open('/', { viewport: { width, height: 740 } });
  for (const pathname of [
    '/',
    '/runs',
    `/runs/${long.run}`,
    `/compare?a=${world.good}&b=${world.worse}`,
    '/datasets',
    `/datasets/${long.dataset}`,
    '/browser-harness',
  ]) {
    await phone.goto(`${app.origin}/app${pathname}`);
    await phone.locator('.panel').first().waitFor();
    await expect.poll(() => phone.locator('.loading').count(), SOON).toBe(0);
    const [header, whole] = await phone.evaluate(() => [
      document.querySelector('header')?.getBoundingClientRect().height ?? 0,
      document.documentElement.scrollHeight,
    ]);
    expect(header, pathname).toBeLessThan(60);
    expect(whole, pathname).toBeLessThan(6_000);
    for (const filters of await phone.getByRole('search').all()) {
      expect(await filters.getByRole('combobox').count(), pathname).toBe(0);
      await filters.getByRole('button', { name: 'Filters' }).click();
      expect(await filters.getByRole('combobox').count(), pathname).toBeGreaterThan(0);
    }
  }
  await phone.getByRole('button', { name: 'Menu' }).click();
  await phone.getByRole('link', { name: 'Schedules' }).click();
  await expect.poll(() => phone.title()).toBe('Schedules · Waymark');
  expect(await phone.getByRole('link', { name: 'Providers' }).count()).toBe(0);
  await phone.context().close();
});

test('long names wrap, and marks that turn the direction of text are shown as text', async () => {
  for (const pathname of ['/', '/runs', `/runs/${long.run}`, `/datasets/${long.dataset}`]) {
    await goto(pathname);
    await page.getByText('invoice[U+202E]gpj.exe').locator('visible=true').first().waitFor();
    expect(await page.locator('body').innerText()).not.toContain('\u202E');
    await expectFits(page);
  }
});

test('a run is deleted after a question, and is in no list any more', async () => {
  await goto(`/runs/${long.run}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await says(dialog, '120 items with answers, scores, log and files will be deleted.');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.title()).toBe('Runs · Waymark');
  await says(region('Runs'), '3 runs Export CSV');
  expect((await fetch(`${app.origin}/runs/${long.run}`)).status).toBe(404);
});
