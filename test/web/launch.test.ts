import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonl } from '../../src/cases/index.ts';
import { ITEMS } from '../browser-harness/samples.ts';
import { sums } from '../browser-harness-api/launched.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { openWebApp, SOON, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';

let app: WebApp;
let models: ModelServer;
let provider_id: string;
let dataset_id: string;
beforeAll(async () => {
  [app, models] = await Promise.all([openWebApp(), startModelServer()]);
  const local = { name: 'Models', kind: 'openai-compatible', base_url: models.baseUrl };
  provider_id = String((await app.api('POST', '/providers', local))['id']);
  const items = [...sums(6), ...ITEMS.filter(({ type }) => type === 'judge')];
  const made = await app.upload('/datasets/import?name=Sums', toJsonl(items));
  dataset_id = (made['dataset'] as { id: string }).id;
}, 180_000);
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
});

const focusedLabel = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    return element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
  });

/** As somebody without a mouse gets there. */
async function tabTo(page: Page, label: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focusedLabel(page)) === label) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not come to ${label}`);
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.type(text);
}

test('a run is launched by keyboard alone, with the judge that it needs, and seen live until it is scored', async () => {
  const page = await app.open(`/launch`);
  await page.getByRole('heading', { name: 'Run a dataset' }).waitFor();
  await type(page, 'Dataset', 'Sums');
  await page.getByText('main · 6 items').waitFor();
  await type(page, 'Provider', 'Models');
  await type(page, 'Model', 'adder');
  // The judge is asked for because an item needs one.
  await page.getByRole('heading', { name: 'Judge' }).waitFor();
  await page.getByText('This can’t be started yet').waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await type(page, 'Judge’s provider', 'Models');
  await type(page, 'Judge’s model', 'judge-1');
  await page.getByText('6 scored by checkers, 1 by the judge').waitFor();
  await type(page, 'Label', 'By keyboard');
  await tabTo(page, 'Start the run');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/app\/runs\/[0-9a-f-]{36}/);
  await page.getByText('scored', { exact: true }).first().waitFor();
  const { runs } = (await app.api('GET', '/runs')) as { runs: Record<string, unknown>[] };
  expect(runs).toMatchObject([{ label: 'By keyboard', status: 'completed', scoring_status: 'done', accuracy: 1 }]);
  expect(app.faults).toEqual([]);
});

test('what a launch lacks is said before it is sent, and what the server refuses is shown', async () => {
  const page = await app.open(`/launch?dataset=${dataset_id}&provider=${provider_id}`);
  await page.getByText('main · 6 items').waitFor();
  await page.getByRole('button', { name: 'None' }).click();
  await page.getByText('Choose at least one section.').waitFor();
  await page.getByRole('checkbox', { name: /main/ }).check();
  await page.getByText('Parameters and limits').click();
  await page.getByLabel('Temperature').fill('hot');
  await page.getByText('A number from 0 to 2, or nothing.').waitFor();
  await page.getByLabel('Temperature').fill('0');
  await page.getByLabel('Concurrent calls').fill('99');
  await page.getByText('A whole number from 1 to 32, or nothing for 4.').waitFor();
  await page.getByLabel('Concurrent calls').fill('2');
  await page.getByRole('button', { name: 'Start the run' }).click();
  // Without a model nothing is sent.
  expect(page.url()).toContain('/launch');
  await page.getByLabel('Model', { exact: true }).fill('adder');
  // Gone meanwhile.
  const other = String((await app.api('POST', '/providers', { name: 'Gone', kind: 'ollama' }))['id']);
  await page.reload();
  await page.getByLabel('Provider', { exact: true }).selectOption({ label: 'Gone' });
  await app.api('DELETE', `/providers/${other}`);
  await page.getByLabel('Model', { exact: true }).fill('adder');
  await page.getByText(`There is no provider ${other}.`).first().waitFor();
  expect(app.faults).toEqual([]);
});

test('a run is cancelled on its page, and resumed', async () => {
  models.answer('stuck', ({ prompt }) => (models.count('stuck') > 2 ? { hang: true } : { text: prompt }));
  const { run_id } = await app.api('POST', '/runs', { dataset_id, provider_id, model: 'stuck', sections: ['main'] });
  const page = await app.open(`/runs/${run_id}`);
  await page.getByText('running', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await page.getByText('cancelled', { exact: true }).first().waitFor();
  models.answer('stuck', ({ prompt }) => ({ text: prompt }));
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('scored', { exact: true }).first().waitFor();
  expect(await app.api('GET', `/runs/${run_id}`)).toMatchObject({ status: 'completed', counts: { answered: 6 } });
  expect(app.faults).toEqual([]);
});

test('tokens and cost are on the run’s page as the model said them; what it did not say is unknown', async () => {
  const openai = { name: 'Priced', kind: 'openai', base_url: models.baseUrl };
  const priced = String((await app.api('POST', '/providers', openai))['id']);
  models.answer('gpt-5-mini', () => ({ text: '1', tokens: { input: 1200, output: 34 } }));
  const launched = { dataset_id, sections: ['main'], max_items: 2 };
  const known = await app.api('POST', '/runs', {
    ...launched,
    provider_id: priced,
    model: 'gpt-5-mini',
    params: { temperature: 1 },
  });
  const page = await app.open(`/runs/${known['run_id']}`);
  const fact = (name: string) =>
    page
      .locator('dl.facts > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');
  await expect.poll(() => fact('Tokens').innerText(), SOON).toBe('2,400 read, 68 written');
  expect(await fact('Cost').innerText()).toBe('$0.000736');
  await page.locator('details.item').first().click();
  await page.getByText('Tokens: 1,200 read, 34 written · Cost: $0.000368').waitFor();
  await page.getByText(/^temperature is not supported/).waitFor();
  // Only one of two numbers, from a model without a price.
  const silent = JSON.stringify({
    choices: [{ message: { role: 'assistant', content: '1' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 7 },
  });
  models.answer('half', () => ({ body: silent }));
  const half = await app.api('POST', '/runs', { ...launched, provider_id, model: 'half' });
  await page.goto(`${app.origin}/app/runs/${half['run_id']}`);
  await expect.poll(() => fact('Tokens').innerText(), SOON).toBe('14 read, unknown written');
  expect(await fact('Cost').innerText()).toBe('unknown');
  expect(app.faults).toEqual([]);
});

test('a schedule is made, shown with its next run, run at once, disabled, changed and deleted', async () => {
  const page = await app.open(`/schedules`);
  await page.getByText('There are no schedules yet.').waitFor();
  await page.getByRole('link', { name: 'New schedule' }).click();
  await page.getByLabel('Name').fill('Nightly sums');
  await page.getByLabel('Cron expression').fill('0 25 * * *');
  await page.getByText('"0 25 * * *" can\'t be used').waitFor();
  await page.getByRole('button', { name: 'Monday to Friday at 3' }).click();
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByText('Next times').waitFor();
  await page.getByLabel('Dataset').selectOption({ label: 'Sums (7 items)' });
  await page.getByRole('checkbox', { name: /open/ }).uncheck();
  await page.getByLabel('Provider', { exact: true }).selectOption({ label: 'Models' });
  await page.getByLabel('Model', { exact: true }).fill('adder');
  await page.getByText('6 scored by checkers').waitFor();
  await expectFits(page);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Create the schedule' }).click();
  const row = page.getByRole('row', { name: /Nightly sums/ });
  await row.getByText(/in \d+ (hours?|days?|minutes?)|tomorrow/).waitFor();
  await expect.poll(() => row.innerText(), SOON).toMatch(/0 3 \* \* 1-5[\s\S]*Europe\/Berlin[\s\S]*none yet/);
  await expect.poll(() => row.innerText(), SOON).toMatch(/(Mon|Tue|Wed|Thu|Fri)[a-z]*,? .*(3:00|03:00)/);
  await expectFits(page);
  await expectAccessible(page);

  await page.setViewportSize({ width: 1024, height: 768 });
  await row.getByRole('button', { name: 'Run now: Nightly sums' }).click();
  await row.getByText('scored', { exact: true }).waitFor({ timeout: 20_000 });
  await row.getByRole('button', { name: 'Disable Nightly sums' }).click();
  await row.getByText('disabled', { exact: true }).waitFor();
  await row.getByRole('link', { name: 'Edit Nightly sums' }).click();
  await page.getByRole('heading', { name: 'Edit Nightly sums' }).waitFor();
  expect(await page.getByLabel('Model', { exact: true }).inputValue()).toBe('adder');
  expect(await page.getByRole('checkbox', { name: /open/ }).isChecked()).toBe(false);
  await page.getByLabel('Name').fill('Sums at night');
  await page.getByLabel('Enabled').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const renamed = page.getByRole('row', { name: /Sums at night/ });
  await renamed.getByText(/in \d+ (hours?|days?|minutes?)|tomorrow/).waitFor();
  const { schedules } = (await app.api('GET', '/schedules')) as { schedules: Record<string, unknown>[] };
  expect(schedules).toMatchObject([{ name: 'Sums at night', enabled: true, cron: '0 3 * * 1-5', sections: ['main'] }]);
  await renamed.getByRole('button', { name: 'Delete Sums at night' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('There are no schedules yet.').waitFor();
  expect(app.faults).toEqual([]);
});
