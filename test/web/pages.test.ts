import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/store/index.ts';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { GEMINI, HOSTILE, importCapture, seed, type World } from './seed.ts';

let app: WebApp;
let page: Page;
beforeAll(async () => {
  app = await openWebApp();
  page = await app.open('/');
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
});
afterEach(() => expect(app.faults).toEqual([]));

const goto = (pathname: string) => page.goto(`${app.origin}/app${pathname}`);
const heading = () => page.getByRole('heading', { level: 1 });
const main = () => page.getByRole('main');
const textOf = async (part = main()) => (await part.innerText()).replace(/\s+/g, ' ');

describe('without data', () => {
  test('every page says what to do next, and fits', async () => {
    for (const [pathname, sentence] of [
      ['/', 'There are no runs yet. Upload a dataset'],
      ['/schedules', 'There are no schedules yet. A schedule launches'],
      ['/runs', 'There are no runs yet. Run a dataset on a model'],
      ['/compare', 'Two runs are needed to compare.'],
      ['/datasets', 'There are no datasets yet. Upload a JSONL file'],
      ['/providers', 'There are no providers yet. Add one to run datasets'],
    ] as const) {
      await goto(pathname);
      await page.locator('.empty').waitFor();
      await expect.poll(() => textOf(), SOON).toContain(sentence);
      await expectFits(page);
    }
  });

  test('what is not there is said with its code, and the way back', async () => {
    await goto('/runs/nope');
    const alert = page.getByRole('alert');
    await expect.poll(() => textOf(alert), SOON).toContain('There is no run nope. run_not_found');
    await goto('/no/such/page');
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await expect.poll(() => page.url()).toBe(`${app.origin}/app/`);
  });

  test('the first address is the home page; a navigation names the page, marks its link and moves the focus', async () => {
    await goto('/');
    await heading().waitFor();
    await expect.poll(() => page.title()).toBe('Home · Waymark');
    expect(await page.getByRole('navigation').locator('[aria-current="page"]').allInnerTexts()).toEqual(['Home']);
    await page.getByRole('navigation').getByRole('link', { name: 'Datasets' }).click();
    await expect.poll(() => page.title()).toBe('Datasets · Waymark');
    expect(await heading().evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.locator('[aria-current="page"]').allInnerTexts()).toEqual(['Datasets']);
  });

  test('the first key reaches a link that skips to the content', async () => {
    await goto('/providers');
    await heading().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Add a provider');
  });
});

test('with a token, a browser is asked for it on a page that anyone can use, and is led on to the page that it wanted', async () => {
  await using guarded = await app.serveWithToken('a-token-of-this-test');
  const asked = await app.open('/datasets?search=x', { origin: guarded.origin });
  await asked.getByRole('heading', { name: 'Sign in to Waymark' }).waitFor();
  const token = asked.getByLabel('Token');
  expect(await token.evaluate((element) => element === document.activeElement)).toBe(true);
  await expectFits(asked);
  await expectAccessible(asked);
  await token.fill('not-the-token-of-it');
  await token.press('Enter');
  await asked.getByRole('alert').getByText('That is not the token of this server.').waitFor();
  await expectFits(asked);
  await expectAccessible(asked);
  await token.fill('a-token-of-this-test');
  await asked.getByRole('button', { name: 'Sign in' }).click();
  await asked.getByRole('heading', { name: 'Datasets' }).waitFor();
  expect(asked.url()).toBe(`${guarded.origin}/app/datasets?search=x`);
  await expect.poll(() => textOf(asked.getByRole('main')), SOON).toContain('There are no datasets yet.');
  await asked.context().close();
});

test('who is not signed in any more and opens a page whose code is not loaded yet is asked for the token, and led on to that page', async () => {
  await using guarded = await app.serveWithToken('a-token-of-this-test');
  const page = await app.open('/datasets?token=a-token-of-this-test', { origin: guarded.origin });
  const signIn = async (heading: string) => {
    await page.getByLabel('Token').fill('a-token-of-this-test');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
  };
  await page.getByRole('heading', { name: 'Datasets' }).waitFor();
  for (const name of ['Providers', 'Schedules']) {
    await page.context().clearCookies();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name: 'Sign in to Waymark' }).waitFor();
    await signIn(name);
    expect(page.url()).toBe(`${guarded.origin}/app/${name.toLowerCase()}`);
  }
  // A part of the page that one is at.
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Import a capture' }).click();
  await page.getByRole('heading', { name: 'Sign in to Waymark' }).waitFor();
  await signIn('Schedules');
  expect(page.url()).toBe(`${guarded.origin}/app/schedules`);
  await page.context().close();
  // What the browser says of code and styles that it was refused, and the app of the reason.
  const refused = /Refused to apply style|This server asks for its token/;
  expect(app.faults.splice(0).filter((fault) => !refused.test(fault))).toEqual([]);
});

describe('with runs', () => {
  let world: World;
  beforeAll(async () => {
    world = await seed(app);
  });
  afterAll(async () => {
    await world?.[Symbol.asyncDispose]();
  });

  test('the list has coverage beside accuracy, says what is self-reported, and is filtered by the address', async () => {
    await goto('/runs');
    const rows = page.getByRole('table', { name: 'Runs' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await expect
      .poll(() => textOf(rows.nth(2)), SOON)
      .toMatch(
        /ChatGPT Web, evening Everyday knowledge on ChatGPT Web · GPT-5, GPT-5 mini self-reported capture scored 95\.0 % 90\.9 % 20\/22/,
      );
    await page.getByLabel('Scoring').selectOption('partial');
    await expect.poll(() => rows.count()).toBe(1);
    expect(page.url()).toContain('scoring=partial');
    await page.getByLabel('Kind').selectOption('model');
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await expect.poll(() => rows.count()).toBe(3);
  });

  test('two runs are picked and compared: in words, in a picture, item by item', async () => {
    await goto('/runs');
    const boxes = page.getByRole('checkbox');
    await boxes.nth(2).check();
    await boxes.nth(1).check();
    await page.getByRole('link', { name: 'Compare these two' }).click();
    await page.getByText('B is worse than A, beyond noise').waitFor();
    expect(page.url()).toContain(`a=${world.good}&b=${world.worse}`);
    await expect
      .poll(() => textOf(), SOON)
      .toContain(
        'Of the 20 items that were scored in both, B passes 40.0 points fewer than A (1 only by B, 9 only by A).',
      );
    const differing = page.getByRole('region', { name: 'Where they differ' });
    await differing.getByText('sum-7').click();
    await expect.poll(() => textOf(differing), SOON).toContain('The response says 12, not 148.');
    await expect
      .poll(() => textOf(page.getByRole('region', { name: 'Run A' })), SOON)
      .toContain('95.0 % accuracy, coverage 90.9 %');
  });

  test('a run shows result, warnings, sections, latency, import and log', async () => {
    await goto(`/runs/${world.good}`);
    await page.getByText('scoring_done').waitFor();
    await page.getByText('20 timed answers').waitFor();
    const shown = await textOf();
    for (const part of [
      'The page named 2 models: GPT-5, GPT-5 mini.',
      'Accuracy 95.0 % 19 of 20 scored; 95 % interval 76 % to 99 % Coverage 90.9 % 20 of 22 items scored',
      'pass 19 fail 1 skipped 2',
      'self-reported capture',
      'arithmetic 88.9 % 9/10 scored',
      '20 timed answers',
      '22 items in the pack, 21 in the capture: 20 answered, 1 with an error, 1 missing',
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).not.toContain(' 1 items ');
    await expect.poll(() => page.locator('.section-rows svg circle').count(), SOON).toBe(4);
    await expect.poll(() => page.locator('.histogram rect').count(), SOON).toBeGreaterThan(5);
  });

  test('items are filtered, and open to prompt, response and every score; what a page said stays text', async () => {
    await goto(`/runs/${world.worse}`);
    const items = page.getByRole('region', { name: 'Items', exact: true });
    await items.getByLabel('Verdict').selectOption('fail');
    await items.getByText('9 of 22 items').waitFor();
    await items.getByLabel('Section').selectOption('explanations');
    await items.getByText('2 of 22 items').waitFor();
    await goto(`/runs/${world.worse}?text=atlantis`);
    await items.getByText('7 of 22 items').waitFor();
    await items.getByLabel('Text').fill('capital-france');
    await items.getByText('What is the capital of France?').click();
    await expect.poll(() => items.locator('pre').last().innerText(), SOON).toBe(HOSTILE);
    await expect.poll(() => textOf(items), SOON).toMatch(/pass 1 by contains, attempt 1/);
    expect(await items.locator('img, b').count()).toBe(0);
  });

  test('failures come first, with prompt and answer in the row; the keyboard goes through them', async () => {
    await goto(`/runs/${world.good}`);
    await expect.poll(() => page.title()).toBe('ChatGPT Web, evening · Waymark');
    const rows = page.getByRole('region', { name: 'Items', exact: true }).locator('.items > li');
    await expect.poll(() => rows.count()).toBe(22);
    const inOrder = await Promise.all([0, 1, 2].map((at) => textOf(rows.nth(at))));
    expect(inOrder[0]).toMatch(/^fail sum-7 What is 119 \+ 29\? Reply with the number\. Answer: It is 12\./);
    expect(inOrder[1]).toContain('Error: The answer did not end within 180 s.');
    expect(inOrder[2]).toMatch(/capital-peru .* No answer/);
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('.item-id')?.textContent);
    await rows.nth(0).locator('summary').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('sum-3');
    await page.keyboard.press('Enter');
    await rows.nth(1).getByText('response_timeout').waitFor();
    // What was open closes, and the next one opens in its place.
    await page.keyboard.press('k');
    expect(await focused()).toBe('sum-7');
    await rows.nth(0).getByText('The response says 12, not 148.').waitFor();
    expect(await page.locator('details.item[open]').count()).toBe(1);
    await page.keyboard.press('End');
    expect(await focused()).toBe(await rows.nth(21).locator('.item-id').textContent());
  });

  test("a judge's failure is plainly said; with another judge the run is scored again, and the page follows", async () => {
    await goto(`/runs/${world.partial}`);
    await page.getByText('Some items could not be scored').waitFor();
    await expect.poll(() => textOf(), SOON).toContain('The judge could not be asked: The endpoint replied 500');
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rescore' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Judge', { exact: true }).selectOption({ label: 'Local models' });
    await dialog.getByLabel('Model of the judge').fill('judge-scattering');
    await dialog.getByRole('button', { name: 'Score' }).click();
    // No reload: the run's own events bring it.
    await expect.poll(() => textOf(), SOON).toContain('pass 20 fail 2');
    const items = page.getByRole('region', { name: 'Items', exact: true });
    await items.getByText('explain-ice').click();
    // The summary and the items are two answers of the server.
    await expect
      .poll(() => textOf(items), SOON)
      .toMatch(/fail 0 by judge, attempt 2 \(counts\), .* It does not name scattering\. .* error by judge, attempt 1/);
  });

  test('a run without a judge says that scoring is blocked, and why; to score it again it asks for one', async () => {
    const { run } = schema;
    const scoring = { gradingStatus: 'blocked' as const, gradingReason: 'Items need a judge, and the run has none.' };
    await app.store.db.update(run).set(scoring).where(eq(run.id, world.partial));
    await goto(`/runs/${world.partial}`);
    await expect
      .poll(() => textOf(page.locator('.notice').first()), SOON)
      .toContain('Scoring is blocked Items need a judge, and the run has none.');
    await page.getByRole('button', { name: 'Rescore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Score' }).click();
    const judge = page.getByRole('dialog').getByLabel('Judge', { exact: true });
    expect(await judge.evaluate((select: HTMLSelectElement) => select.validity.valueMissing)).toBe(true);
    await expectAccessible(page);
  });

  test('a dataset shows its version, sections and items with answers', async () => {
    await goto(`/datasets/${world.dataset}?section=capitals`);
    await page.getByText('capital-peru').click();
    const shown = await textOf();
    expect(shown).toContain('current, 3 runs');
    expect(shown).toContain('arithmetic 10 capitals 6');
    expect(shown).toContain('Answer Lima');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => textOf(page.getByRole('dialog').getByRole('alert')), SOON).toContain('dataset_in_use');
  });

  test('the list follows what happens to runs, without a reload', async () => {
    await goto('/runs?scoring=done');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    const before = await rows.count();
    await importCapture(app, {
      dataset: world.dataset,
      target: GEMINI,
      judge: { provider_id: world.provider, model: 'judge-1', prompt: '' },
      say: () => 'I can not say.',
    });
    await expect.poll(() => rows.count(), SOON).toBe(before + 1);
  });

  test.each([
    ['runs', () => '/runs'],
    ['run', () => `/runs/${world.good}`],
    ['compare', () => `/compare?a=${world.good}&b=${world.worse}`],
    ['datasets', () => '/datasets'],
    ['dataset', () => `/datasets/${world.dataset}`],
    ['providers', () => '/providers'],
  ])('%s: accessible in light and dark, fits from 320 to 1440 px', async (_, at) => {
    await goto(at());
    await page.locator('.panel').first().waitFor();
    await expect.poll(() => page.locator('.loading').count()).toBe(0);
    for (const summary of (await page.locator('details.item > summary').all()).slice(0, 1)) await summary.click();
    await expectAccessible(page);
    await expectFits(page);
  });
});
