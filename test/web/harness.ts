/** The Browser Harness page as a person uses it: by labels, buttons and links. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { type ChatPage, chatPage } from '../../fixtures/chat/pages.ts';
import type { FixtureServer } from '../../fixtures/server.ts';
import type { Fixtures } from '../../src/server/index.ts';
import type { WebApp } from './app.ts';

export const SMALL = readFileSync(new URL('../../fixtures/chat/datasets/small.jsonl', import.meta.url), 'utf8');

/** Each on its own origin, as the server of `waymark serve --fixtures` offers them on one. */
export function fixturePages(server: Pick<FixtureServer, 'origin' | 'sameSiteOrigin' | 'elsewhereOrigin'>): Fixtures {
  const page = (name: ChatPage) => chatPage(server, name, { step: '5' });
  return { chatgpt: page('chatgpt'), gemini: page('gemini'), custom: page('custom') };
}

export async function importDataset(app: WebApp, name: string, jsonl: string): Promise<string> {
  const { dataset } = await app.upload(`/datasets/import?name=${encodeURIComponent(name)}`, jsonl);
  return (dataset as { id: string }).id;
}

export class HarnessPage {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  part(name: string): Locator {
    return this.page
      .getByRole('region', { name, exact: false })
      .filter({ has: this.page.getByRole('heading', { name }) });
  }

  /** Only these sections. */
  async sections(...names: readonly string[]): Promise<void> {
    await this.page.getByRole('button', { name: 'None' }).click();
    for (const name of names) await this.page.getByLabel(new RegExp(`^${name} ·`)).check();
  }

  /** The fixtures answer at once: there is nothing to be patient for. */
  async hurry(): Promise<void> {
    await this.page.getByText('Timing', { exact: false }).first().click();
    await this.page.getByLabel('Quiet time (s)').fill('0.25');
    await this.page.getByLabel('Between items (s)').fill('0.02');
  }

  async judge(provider: string, model: string): Promise<void> {
    await this.page.getByLabel('Provider', { exact: true }).selectOption(provider);
    await this.page.getByLabel('Model', { exact: true }).fill(model);
  }

  async makePack(): Promise<void> {
    await this.page.getByText(/^Ready: \d+ prompts? can be packed\.$/).waitFor();
    await this.page.getByRole('button', { name: /^Make (the|a new) pack$/ }).click();
    await this.page.getByRole('region', { name: 'The pack' }).waitFor();
  }

  /** The address that is dragged to the bookmarks bar. */
  async bookmarklet(): Promise<string> {
    const href = await this.page
      .getByRole('link', { name: /→|^Browser Harness$/ })
      .last()
      .getAttribute('href');
    if (!href?.startsWith('javascript:')) throw new Error(`This is no bookmarklet: ${href}`);
    return href;
  }

  async choose(name: string, bytes: Buffer): Promise<void> {
    await this.page.getByLabel('or choose files').setInputFiles({ name, mimeType: 'application/zip', buffer: bytes });
  }

  /** As the system does when a file is dragged from a folder: events of the browser, not of a script. */
  async drop(file: string): Promise<void> {
    const zone = this.page.getByText('Drop captures here');
    await zone.scrollIntoViewIfNeeded();
    const box = await zone.boundingBox();
    if (!box) throw new Error('There is no drop zone.');
    const at = { x: box.x + 5, y: box.y + 5 };
    const data = { items: [], files: [file], dragOperationsMask: 1 };
    const session = await this.page.context().newCDPSession(this.page);
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await session.send('Input.dispatchDragEvent', { type, data, ...at });
    }
    await session.detach();
  }
}
