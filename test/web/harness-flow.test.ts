import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { customSelectors } from '../../fixtures/chat/pages.ts';
import { Stage } from '../page/stage.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { openWebApp, type WebApp } from './app.ts';
import { fixturePages, HarnessPage, importDataset, SMALL } from './harness.ts';

// From a dataset to scores with nothing but the page: clicks in the app, a bookmarklet on the chat, its file back into the app.
let stage: Stage;
let models: ModelServer;
let app: WebApp;
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-harness-flow-'));

beforeAll(async () => {
  [stage, models] = await Promise.all([Stage.open(), startModelServer()]);
  app = await openWebApp({ fixtures: fixturePages(stage.fixtures) });
  await importDataset(app, 'Small', SMALL);
  await app.api('POST', '/providers', { name: 'Judges', kind: 'openai-compatible', base_url: models.baseUrl });
});
afterAll(async () => {
  await app?.[Symbol.asyncDispose]();
  await models?.[Symbol.asyncDispose]();
  await stage?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => expect(app.faults.splice(0)).toEqual([]));

async function openHarness(...sections: readonly string[]): Promise<HarnessPage> {
  const harness = new HarnessPage(await app.open('/browser-harness'));
  await harness.page.getByLabel('Dataset').selectOption({ label: 'Small (12 items)' });
  await harness.sections(...sections);
  await harness.hurry();
  return harness;
}

/** Runs the page's bookmarklet on a fixture, to its end. Nothing leaves the fixture page, and nothing is said in its console. */
async function capture(name: 'chatgpt' | 'gemini' | 'custom', address: string) {
  await using chat = await stage.chat(name);
  await chat.startAddress(address);
  await chat.finished();
  const [file] = await chat.saved();
  expect(chat.noise()).toEqual([]);
  if (!file) throw new Error('Nothing was saved.');
  return file;
}

/** The test script of the selectors, as the page offers it: on the chat page it says what they match. */
async function showsSelectors(address: string | null): Promise<void> {
  await using chat = await stage.chat('custom');
  await chat.startAddress(address ?? '');
  await chat.panel.says('✓ composerSelector 1 of 1 matches 1 element, visible: .write textarea');
  await chat.panel.says('4 of 6 roles found. Nothing is sent.');
  expect(chat.noise()).toEqual([]);
}

/** From the import's link to the run, and until it is scored. */
async function openRun({ page }: HarnessPage, scoring: string): Promise<void> {
  await page.getByRole('link', { name: 'Open the run' }).first().click();
  await page.getByText(scoring, { exact: true }).first().waitFor();
}

describe.concurrent('pack, bookmarklet on the page, import, scores', () => {
  test('ChatGPT, the capture dropped on the page', async () => {
    const harness = await openHarness('geography');
    const { page } = harness;
    await page.getByRole('button', { name: 'Use the fixture page' }).click();
    await harness.makePack();
    const offered = page.getByRole('link', { name: 'the fixture page' });
    expect(await offered.getAttribute('href')).toBe('http://fixtures.waymark.test/chat/chatgpt?step=5');

    const { name, bytes } = await capture('chatgpt', await harness.bookmarklet());
    const file = path.join(folder, name);
    writeFileSync(file, bytes);
    await harness.drop(file);
    await page.getByText('Imported as a run.').waitFor();
    const told = page.getByRole('region', { name });
    expect(await told.getByText('3 items', { exact: true }).count()).toBe(3);
    expect(await told.getByText('0 items', { exact: true }).count()).toBe(2);
    expect(await told.textContent()).toContain('ChatGPT Web (new provider), self-reported capture. Scoring is queued.');

    // The same bytes once more: the same run, and it is said.
    await harness.drop(file);
    await page.getByText('This capture was imported before. No second run was created.').waitFor();
    const links = await page.getByRole('link', { name: 'Open the run' }).all();
    const [again, first] = await Promise.all(links.map((link) => link.getAttribute('href')));
    expect(again).toBe(first);

    await openRun(harness, 'scored');
    await page.getByRole('heading', { name: 'Small on ChatGPT Web' }).waitFor();
    await page.getByText('2 of 3 scored;').waitFor();
    expect(await page.getByText('self-reported capture').count()).toBeGreaterThan(0);
    await page.getByText('geo-3', { exact: true }).click();
    await page.getByText('The capital of Australia is Sydney.').first().waitFor();
    await page.context().close();
  });

  test('Gemini, under Trusted Types, the capture chosen as a file', async () => {
    const harness = await openHarness('math');
    const { page } = harness;
    await page.getByLabel('Gemini').check();
    await page.getByRole('button', { name: 'Use the fixture page' }).click();
    await page.getByLabel('Maximum number of items').fill('2');
    await harness.makePack();
    await page.getByText('2 more items are in the scope; max_items leaves them out.').first().waitFor();
    const { name, bytes } = await capture('gemini', await harness.bookmarklet());
    await harness.choose(name, bytes);
    await openRun(harness, 'scored');
    await page.getByRole('heading', { name: 'Small on Gemini Web' }).waitFor();
    await page.getByText('1 of 2 scored;').waitFor();
    await page.context().close();
  });

  test('a custom page, its selectors entered by hand, with a judge', async () => {
    const harness = await openHarness('history', 'open');
    const { page } = harness;
    await page.getByLabel('Custom').check();
    // The address of a chat, as it is copied from the browser: the origin is what is kept.
    await page.getByLabel('Origin').fill('http://elsewhere.test/chat/custom?a=1');
    await page.getByLabel('Origin').blur();
    expect(await page.getByLabel('Origin').inputValue()).toBe('http://elsewhere.test');
    await page.getByLabel('Name of the provider').fill('Helper Web');
    const fields = {
      Composer: customSelectors.composer,
      Send: customSelectors.send,
      Busy: customSelectors.busy,
      'Assistant turn': customSelectors.assistant_turn,
      'New chat': customSelectors.new_chat,
      'Model label': customSelectors.model_label,
    };
    for (const [label, lines] of Object.entries(fields)) {
      await page.getByLabel(label, { exact: true }).fill(lines.join('\n'));
    }
    await showsSelectors(await page.getByRole('link', { name: 'Test selectors' }).getAttribute('href'));
    await harness.judge('Judges', 'judge-scattering');
    await page.getByLabel('Further instructions').fill('Mind the wavelength.');
    await harness.makePack();
    const { name, bytes } = await capture('custom', await harness.bookmarklet());
    await harness.choose(name, bytes);
    await openRun(harness, 'scored');
    await page.getByRole('heading', { name: 'Small on Helper Web' }).waitFor();
    await page.getByText('2 of 2 scored;').waitFor();
    const asked = models.calls.filter(({ model }) => model === 'judge-scattering');
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked[0]?.messages)).toContain('Mind the wavelength.');
    await page.context().close();
  });
});

test('a judge that always fails: what a checker can score is scored, and the run says why the rest is not', async () => {
  const harness = await openHarness('history', 'open');
  const { page } = harness;
  await page.getByRole('button', { name: 'Use the fixture page' }).click();
  // The provider that the captures above made is no judge.
  const judges = page.getByLabel('Provider', { exact: true }).locator('option');
  await judges.nth(1).waitFor({ state: 'attached' });
  expect(await judges.allTextContents()).toEqual(['Choose a provider …', 'Judges']);
  await harness.judge('Judges', 'always-500');
  await harness.makePack();
  const { name, bytes } = await capture('chatgpt', await harness.bookmarklet());
  await harness.choose(name, bytes);
  // Known from before: no second provider for the same page.
  await page.getByText('(existing provider), self-reported capture.').waitFor();
  await openRun(harness, 'partly scored');
  await page.getByText('Some items could not be scored').waitFor();
  await page.getByText(/judge/i).first().waitFor();
  await page.getByText('1 of 1 scored;').waitFor();
  await page.getByText('open-1', { exact: true }).click();
  await page.getByText(/500/).first().waitFor();
  await page.context().close();
});
