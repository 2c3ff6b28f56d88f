import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findLeaks } from '../../src/capture/index.ts';
import { toJsonl } from '../../src/cases/index.ts';
import { untilWords } from '../../web/src/browser-harness/until-words.ts';
import { fileName } from '../../web/src/ui/save-file.ts';
import { CANARIES, ITEMS } from '../browser-harness/samples.ts';
import { PROGRAMMATIC } from '../browser-harness-api/api.ts';
import { openWebApp, type WebApp } from './app.ts';
import { expectAccessible, expectFits } from './checks.ts';
import { HarnessPage, importDataset, SMALL } from './harness.ts';

let app: WebApp;
beforeAll(async () => {
  app = await openWebApp();
  await importDataset(app, 'Small', SMALL);
  await importDataset(app, 'Canaries', toJsonl(PROGRAMMATIC));
  const long = { type: 'freeform', section: 'long', answer: 'x' };
  const lines = Array.from({ length: 60 }, (_, index) =>
    JSON.stringify({ ...long, id: `l${index}`, prompt_text: `${index}: ${'Think well. '.repeat(60)}` }),
  );
  const variation = { ...long, id: 'v1', prompt_text: 'The same in other words', meta: { variation_of: 'l1' } };
  await importDataset(app, 'Long', [...lines, JSON.stringify(variation)].join('\n'));
  await app.api('POST', '/providers', { name: 'Judges', kind: 'openai' });
});
afterAll(() => app?.[Symbol.asyncDispose]());
afterEach(() => expect(app.faults.splice(0)).toEqual([]));

async function openHarness(dataset?: string): Promise<HarnessPage> {
  const page = await app.open('/browser-harness', { permissions: ['clipboard-read', 'clipboard-write'] });
  if (dataset !== undefined) {
    const option = page.getByLabel('Dataset').locator('option', { hasText: dataset });
    await option.waitFor({ state: 'attached' });
    await page.getByLabel('Dataset').selectOption(await option.getAttribute('value'));
  }
  return new HarnessPage(page);
}

describe('preflight', () => {
  test('names each blocker with its code and its fix, and leads to where it is mended', async () => {
    const { page } = await openHarness();
    const preflight = page.getByRole('region', { name: 'Preflight' });
    await preflight.getByText('dataset_missing').waitFor();
    expect(await page.getByRole('heading', { name: 'Judge' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Make the pack' }).isDisabled()).toBe(true);

    await page.getByLabel('Dataset').selectOption({ label: 'Small (12 items)' });
    await page.getByText('12 items, about 3 min 12 s').waitFor();
    await preflight.getByText('judge_required').waitFor();
    expect(await preflight.textContent()).toContain('Choose an API provider and a model as judge');
    await preflight.getByRole('link', { name: 'Go to Judge' }).click();
    expect(new URL(page.url()).hash).toBe('#part-judge');
    await page.getByLabel('Provider', { exact: true }).selectOption('Judges');
    await preflight.getByText('judge_model_missing').waitFor();

    // A judge is asked for only where an item needs one.
    await page.getByLabel(/^open ·/).uncheck();
    await preflight.getByText('Ready: 11 prompts can be packed.').waitFor();
    expect(await page.getByRole('heading', { name: 'Judge' }).count()).toBe(0);
    await page.getByRole('button', { name: 'None' }).click();
    await preflight.getByText('pack_empty').waitFor();
    await page.getByRole('button', { name: 'All' }).click();
    await page.getByLabel('Maximum number of items').fill('many');
    await preflight.getByText('max_items_invalid').waitFor();
    await page.getByLabel('Maximum number of items').fill('3');
    await preflight.getByText('Ready: 3 prompts can be packed.').waitFor();
    await page.getByLabel('Origin').fill('chatgpt');
    await preflight.getByText('origin_invalid').waitFor();
    await page.context().close();
  });

  test('says what is wrong with selectors at their fields', async () => {
    const { page } = await openHarness('Canaries');
    await page.getByLabel('Custom').check();
    const send = page.getByLabel('Send', { exact: true });
    await send.fill('button.send\nform [type=submit');
    const described = await send.getAttribute('aria-describedby');
    expect(await send.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(`#${described?.split(' ').at(-1)}`).textContent()).toBe(
      'Line 2: A bracket or a quotation mark has no partner.',
    );
    await send.fill('button:sent');
    await page.getByText('Line 1: The browser does not know this selector.', { exact: true }).waitFor();
    const preflight = page.getByRole('region', { name: 'Preflight' });
    await preflight.getByText('send, line 1: The browser does not know this selector.').waitFor();
    await preflight.getByText('composer is needed: enter at least one selector.').waitFor();
    await send.fill('.send');
    await page.getByLabel('Composer', { exact: true }).fill('textarea');
    await page.getByLabel('Assistant turn', { exact: true }).fill('.answer');
    await page.getByLabel('Origin').fill('https://chat.example.com');
    // No busy selector: the quiet time is enough.
    await preflight.getByText(/^Ready:/).waitFor();
    // What was entered is there again after a reload.
    await page.reload();
    await page.getByLabel('Custom').check();
    expect(await page.getByLabel('Assistant turn', { exact: true }).inputValue()).toBe('.answer');

    await page.getByLabel('ChatGPT').check();
    await page.getByText('not verified on the live page yet, markup seen 2026-09').click();
    expect(await page.getByLabel('Busy', { exact: true }).inputValue()).toBe(
      'form button[aria-label="Stop"]\nbutton[data-testid="stop-button"]',
    );
    await page.context().close();
  });
});

test('the script and the bookmarklet can be copied, saved and dragged, and hold no answer', async () => {
  const harness = await openHarness('Canaries');
  const { page } = harness;
  await harness.makePack();
  expect(await page.getByRole('status').last().textContent()).toBe(`The pack is made: ${PROGRAMMATIC.length} prompts.`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

  await page.getByRole('button', { name: 'Copy the script' }).click();
  await page.getByText('Script copied.').first().waitFor();
  const script = await clipboard();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the script' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('browser-harness-chatgpt-Canaries.js');
  expect(readFileSync(await download.path(), 'utf8')).toBe(script);

  const address = await harness.bookmarklet();
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await page.getByText('Address copied.').first().waitFor();
  expect(await clipboard()).toBe(address);
  expect(decodeURIComponent(address)).toBe(`javascript:${script.trim()}`);
  for (const text of [script, address, decodeURIComponent(address)]) {
    expect(findLeaks(text, ITEMS)).toEqual([]);
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  }
  await page.getByText('Firefox: fits').waitFor();
  await page.getByText(/^in 6 days and 23 hours/).waitFor();

  // In the app itself the link runs nothing, and says what it is for.
  const before = page.url();
  await page.getByRole('link', { name: 'Canaries → ChatGPT Web' }).click();
  await page.getByText('Here it does nothing.').first().waitFor();
  expect(page.url()).toBe(before);
  expect(await page.locator('eval752-panel').count()).toBe(0);

  await page.getByLabel(/^choice ·/).uncheck();
  await page.getByText('The choices above have changed since this pack was made.').waitFor();
  await page.context().close();
});

test('a pack too large for a bookmarklet goes by its file; what is left out is listed', async () => {
  const harness = await openHarness('Long');
  const { page } = harness;
  await harness.makePack();
  await page.getByText('The pack is too large for a bookmarklet.').waitFor();
  await page.getByText('Firefox: too long').waitFor();
  await page.getByText('Chrome, Edge: fits').waitFor();
  expect(decodeURIComponent(await harness.bookmarklet())).toMatch(/\}\)\(null\);$/);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the pack file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('browser-harness-chatgpt-Long.pack.json');
  const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as { items: unknown[] };
  expect(file.items).toHaveLength(60);
  await page.getByText('1 item left out').click();
  await page.getByText('a variation of another item').waitFor();
  await page.context().close();
});

test('what is no capture is refused in words, with code and rule, and can be mended at once', async () => {
  const harness = await openHarness();
  const refusal = (name: string) => harness.page.getByRole('region', { name }).getByRole('alert');
  await harness.choose('holiday.jpg', Buffer.from('not a capture'));
  await refusal('holiday.jpg').waitFor();
  expect(await refusal('holiday.jpg').textContent()).toBe(
    'A capture is a ZIP archive or a JSON object; this is neither. unsupported_media',
  );
  await harness.choose('cut.zip', Buffer.from('PK\x03\x04 and no more'));
  await refusal('cut.zip').waitFor();
  // The rule that failed is named as well.
  expect(await refusal('cut.zip').textContent()).toMatch(/^The file was refused \((\w+)\).* archive_invalid.*\1$/);
  await harness.choose('empty.json', Buffer.from('{}'));
  await refusal('empty.json').waitFor();
  expect(await harness.page.getByRole('status').last().textContent()).toMatch(/^empty\.json was refused: /);
  await harness.page.context().close();
});

test('all of it by keyboard, in the order of the parts', async () => {
  const { page } = await openHarness();
  const { keyboard } = page;
  // Asked for now: the browser must know before the key is pressed that somebody waits for its dialog.
  const chosen = page.waitForEvent('filechooser', { timeout: 110_000 });
  chosen.catch(() => {});
  const focus = (name: string, role: 'combobox' | 'button' | 'radio' | 'textbox' | 'link') =>
    tabTo(async () => (await page.getByRole(role, { name, exact: true }).and(page.locator(':focus')).count()) > 0);
  const parts: string[] = [];
  async function tabTo(isThere: () => Promise<boolean>): Promise<void> {
    for (let presses = 0; presses < 60; presses++) {
      await keyboard.press('Tab');
      const part = await page.evaluate(
        () => document.activeElement?.closest('.harness-part')?.querySelector('h2')?.textContent ?? '',
      );
      if (part !== '' && parts.at(-1) !== part) parts.push(part);
      if (await isThere()) return;
    }
    throw new Error(`Not reached by keyboard. Parts on the way: ${parts.join(', ')}`);
  }
  await page.getByRole('combobox', { name: 'Dataset' }).waitFor();
  await focus('Dataset', 'combobox');
  await keyboard.type('Small');
  await page.getByRole('heading', { name: 'Judge' }).waitFor();
  await focus('ChatGPT', 'radio');
  await keyboard.press('ArrowRight');
  expect(await page.getByLabel('Origin').inputValue()).toBe('https://gemini.google.com');
  await focus('Provider', 'combobox');
  await keyboard.type('Judges');
  await focus('Model', 'textbox');
  await keyboard.type('judge-1');
  await page.getByText('Ready: 12 prompts can be packed.').waitFor();
  await focus('Check again', 'button');
  await keyboard.press('Enter');
  await focus('Make the pack', 'button');
  await keyboard.press('Enter');
  // The focus goes to what was made; the next Tab is inside it.
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'The pack');
  await focus('Copy the script', 'button');
  await keyboard.press('Space');
  await page.getByText('Script copied.').first().waitFor();
  await focus('Small → Gemini Web', 'link');
  await keyboard.press('Enter');
  await page.getByText('Here it does nothing.').first().waitFor();
  await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute('type') === 'file'));
  await keyboard.press('Enter');
  expect((await chosen).isMultiple()).toBe(true);
  expect(parts).toEqual(['1 Scope', '2 Target', '3 Judge', '4 Preflight', '5 Output', '6 Import']);
  await page.context().close();
});

test('every state of the page fits from 320 px up, and axe has nothing serious to say', async () => {
  const harness = await openHarness();
  const { page } = harness;
  const check = async () => {
    await expectFits(page);
    await expectAccessible(page);
  };
  await page.getByText('dataset_missing').waitFor();
  await check();
  await page.getByLabel('Dataset').selectOption({ label: 'Small (12 items)' });
  await page.getByRole('heading', { name: 'Judge' }).waitFor();
  await page.getByLabel('Custom').check();
  await page.getByText('Timing', { exact: false }).first().click();
  await page
    .getByLabel('Composer', { exact: true })
    .fill(`form ${'.a-very-long-class-name-without-an-end'.repeat(9)}[`);
  await page.getByText('selector_unbalanced').waitFor();
  await check();
  await page.getByLabel('ChatGPT').check();
  await page.getByLabel('Dataset').selectOption({ label: 'Long (61 items)' });
  await harness.makePack();
  await page.getByText('1 item left out').click();
  await page.getByRole('link', { name: 'Browser Harness' }).last().click();
  await harness.choose(`${'a-long-name'.repeat(12)}.zip`, Buffer.from('PK nonsense'));
  await page.getByRole('alert').waitFor();
  await check();
  await page.context().close();
});

test.each([
  [7 * 86_400_000 - 1, '6 days and 23 hours'],
  [2 * 86_400_000, '2 days'],
  [3_900_000, '1 hour and 5 minutes'],
  [60_000, '1 minute'],
  [59_999, 'less than a minute'],
])('%i ms are %s', (ms, words) => {
  expect(untilWords(ms)).toBe(words);
});

test('names of files are plain', () => {
  expect(fileName('browser-harness', 'custom', 'Größe: 1/2 “x”')).toBe('browser-harness-custom-Gro-e-1-2-x');
});
