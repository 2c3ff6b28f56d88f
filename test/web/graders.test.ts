/** Further graders in the web app: asked for in a dialog, shown side by side with the verdicts that decide, and with each item. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { seed, type World } from './seed.ts';

let app: WebApp;
let world: World;
let page: Page;
beforeAll(async () => {
  app = await openWebApp();
  world = await seed(app);
  // It believes every answer but one: Atlantis passes, and Oslo does not.
  world.models.answer('believer', ({ first }) => {
    const said = { id: 'criterion-1', reason: 'By the answer.', outside_control: false };
    return { text: JSON.stringify({ scores: [{ ...said, score: first.includes('**Oslo**') ? 0 : 1 }] }) };
  });
  page = await app.open(`/runs/${world.worse}`);
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});
afterEach(() => expect(app.faults).toEqual([]));

const textOf = async (part = page.getByRole('main')) => (await part.innerText()).replace(/\s+/g, ' ');
const panel = () => page.getByRole('region', { name: 'Graders' });
const dialog = () => page.getByRole('dialog', { name: 'Grade this run by a further grader' });

test('a dialog asks for a grader by keyboard, says what is missing, and the run is graded', async () => {
  const accuracy = () => page.locator('.figure').first().innerText();
  await page.getByRole('button', { name: 'Grade further' }).waitFor();
  const before = await accuracy();
  expect(await panel().count()).toBe(0);
  await page.getByRole('button', { name: 'Grade further' }).press('Enter');
  await dialog().waitFor();
  await expectAccessible(page);
  await dialog().getByLabel('Criteria, one a line (optional)').fill('The answer is right.');
  await dialog().getByLabel('Judge', { exact: true }).selectOption({ label: 'Local models' });
  await dialog().getByLabel('Model of the judge').fill('believer');
  await dialog().getByLabel('US dollars at most (optional)').fill('1');
  await dialog().getByRole('button', { name: 'Grade', exact: true }).press('Enter');
  await expect
    .poll(() => textOf(dialog()), SOON)
    .toContain("The price of openai-compatible:believer is not known, so that a cap on the cost of judging can't be");
  await dialog().getByLabel('US dollars at most (optional)').fill('');
  await dialog().getByLabel('Calls at most (optional)').fill('100');
  await page.keyboard.press('Enter');
  await dialog().waitFor({ state: 'detached' });
  await expect.poll(() => textOf(panel()), SOON).toContain('rubric openai-compatible:believer');
  await page.getByRole('button', { name: 'Grade further' }).waitFor();
  expect(await accuracy()).toBe(before);
});

test('the graders stand side by side, with intervals, calls, agreement and what differs', async () => {
  const shown = await textOf(panel());
  expect(shown).toMatch(/95\.5 %, 21 of 22 [\d.]+ % – [\d.]+ %/);
  expect(shown).toMatch(/κ, 95 % interval .* −0\.\d{3} −0\.\d{3} – 0\.\d{3}/);
  const table = page.getByRole('table', { name: 'Agreement with the verdict that decides' });
  const row = table.getByRole('row').filter({ hasText: 'rubric' });
  expect((await row.getByRole('cell').allInnerTexts()).slice(0, 4)).toEqual(['12', '9', '1', '0']);
  const differences = panel().getByRole('listitem');
  expect(await differences.count()).toBe(10);
  const first = differences.filter({ hasText: 'capital-norway' });
  expect(await textOf(first)).toBe(
    'capital-norway rubric fail decided by contains pass The criteria are met to 0 %. Required and not met: criterion-1. criterion-1: By the answer.',
  );
  await expectAccessible(page);
  await expectFits(page);
});

test('a difference leads to its item, which shows every further grade with its reason and its files', async () => {
  await panel().getByRole('link', { name: 'capital-norway' }).press('Enter');
  const item = page.locator('details.item');
  await expect.poll(() => item.count(), SOON).toBe(1);
  await item.locator('summary').first().press('Enter');
  await expect
    .poll(() => textOf(item), SOON)
    .toContain('Further graders rubric fail 0 round 1, version 1, openai-compatible:believer,');
  expect(await textOf(item)).toContain('1 call · Tokens:');
  await expectAccessible(page);
  await expectFits(page);
  const link = item.getByRole('link', { name: 'judge-001.json' });
  const file = await page.request.get(new URL(String(await link.getAttribute('href')), app.origin).href);
  expect(file.headers()['content-type']).toMatch(/^text\/plain/);
  expect(JSON.parse(await file.text())).toMatchObject({ model: 'openai-compatible:believer' });
});
