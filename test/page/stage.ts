/** A chat page in a real browser, observed by the harness, and the runtime ready to be started there. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { type ChatPage, chatPage, customSelectors } from '../../fixtures/chat/pages.ts';
import { type FixtureServer, startFixtureServer } from '../../fixtures/server.ts';
import { buildRuntime } from '../../page/build.ts';
import {
  bookmarklet,
  type Capture,
  PACK_FORMAT,
  type PackItem,
  presets,
  type RuntimePack,
  type Settings,
} from '../../src/capture/formats.ts';
import { Browser, ensureBrowser, Pool, type Slot } from '../../src/chromium/index.ts';
import { Panel } from './panel.ts';

/** Short quiet times, because the fixtures answer within a fifth of a second, and long limits, because a busy machine may be slower. */
export const quick: Settings = {
  quiet_ms: 250,
  long_quiet_ms: 900,
  item_timeout_ms: 30_000,
  start_timeout_ms: 20_000,
  send_timeout_ms: 20_000,
  ready_timeout_ms: 20_000,
  pace_ms: 20,
  jitter: 0.5,
  poll_ms: 50,
  seed: 1,
};

/** For faults that show themselves by a limit that passes. */
export const impatient = {
  item_timeout_ms: 4_000,
  start_timeout_ms: 1_500,
  send_timeout_ms: 1_500,
  ready_timeout_ms: 1_500,
} satisfies Partial<Settings>;

export interface Saved {
  readonly name: string;
  readonly bytes: Buffer;
}

export class Stage {
  readonly fixtures: FixtureServer;
  readonly runtime: string;
  readonly #pool: Pool;
  readonly #folder: string;

  private constructor(fixtures: FixtureServer, runtime: string, pool: Pool, folder: string) {
    this.fixtures = fixtures;
    this.runtime = runtime;
    this.#pool = pool;
    this.#folder = folder;
  }

  static async open(slots = 4): Promise<Stage> {
    const fixtures = await startFixtureServer();
    const folder = mkdtempSync(path.join(tmpdir(), 'waymark-page-'));
    const browser = ensureBrowser(() => {});
    const pool = new Pool({
      start: () => Browser.launch({ browser, resolverRules: fixtures.resolverRules }),
      slots,
      witness: { downloadFolder: folder },
    });
    return new Stage(fixtures, await buildRuntime(), pool, folder);
  }

  /** Opens a chat page in its own context. */
  async chat(page: ChatPage, query: Record<string, string> = {}): Promise<Chat> {
    const { slot } = await this.#pool.acquire();
    const address = chatPage(this.fixtures, page, { step: '5', ...query });
    const healthy = chatPage(this.fixtures, page, { step: '5' }).url;
    const chat = new Chat(this, slot, page, { origin: address.origin, healthy }, this.#folder);
    await chat.goto(address.url);
    return chat;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
    await this.fixtures[Symbol.asyncDispose]();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class Chat {
  readonly slot: Slot;
  readonly panel: Panel;
  readonly origin: string;
  readonly #stage: Stage;
  readonly #page: ChatPage;
  readonly #folder: string;
  readonly #healthy: string;

  constructor(stage: Stage, slot: Slot, page: ChatPage, at: { origin: string; healthy: string }, folder: string) {
    this.#stage = stage;
    this.slot = slot;
    this.#page = page;
    this.origin = at.origin;
    this.#healthy = at.healthy;
    this.#folder = folder;
    this.panel = new Panel(this.session);
  }

  get session(): Slot['firstPage']['session'] {
    return this.slot.firstPage.session;
  }

  async goto(url: string): Promise<void> {
    const loaded = this.session.next('Page.loadEventFired');
    await this.session.send('Page.navigate', { url });
    await loaded;
  }

  /** Opens the same page without a fault in the place of this one, although a run asks to stay. */
  async reload(): Promise<void> {
    const stop = this.session.on('Page.javascriptDialogOpening', () => {
      void this.session.send('Page.handleJavaScriptDialog', { accept: true });
    });
    try {
      await this.goto(this.#healthy);
    } finally {
      stop();
    }
  }

  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  pack(items: readonly (string | PackItem)[], changes: Partial<RuntimePack> = {}): RuntimePack {
    const preset = presets[this.#page];
    return {
      format: PACK_FORMAT,
      pack_id: 'pack-1',
      dataset_token: 'header.payload.signature',
      expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      label: 'Trial',
      target: { preset: this.#page, origin: this.origin, display_name: preset.display_name },
      judge: null,
      items: items.map((item, index) => (typeof item === 'string' ? { id: `i${index + 1}`, prompt_text: item } : item)),
      preset_revision: preset.revision,
      selectors: this.#page === 'custom' ? customSelectors : preset.selectors,
      notices: preset.notices,
      ...changes,
      settings: { ...quick, ...changes.settings },
    };
  }

  /** Like a click on a bookmark: the browser itself navigates to a `javascript:` URL. */
  async start(pack: RuntimePack): Promise<void> {
    const address = bookmarklet(pack, this.#stage.runtime);
    if (address === undefined) throw new Error('The pack is too large for a bookmarklet.');
    await this.startAddress(address);
  }

  async startAddress(address: string): Promise<void> {
    await this.session.send('Page.navigate', { url: address });
  }

  /** Runs a pack to its end. */
  async run(pack: RuntimePack): Promise<Capture> {
    await this.start(pack);
    return this.finished();
  }

  async finished(): Promise<Capture> {
    await this.panel.says(/Finished|Ended early/, 60_000);
    return this.payload();
  }

  payload(): Promise<Capture> {
    return this.evaluate<Capture>('window.__EVAL752_LAST_BROWSER_HARNESS_RESULT__');
  }

  sent(): Promise<string[]> {
    return this.evaluate<string[]>('window.chatFixture.sent');
  }

  /** How often the send button was clicked, whether or not a message was sent. */
  clicks(): Promise<number> {
    return this.evaluate<number>('window.chatFixture.clicks');
  }

  /** The files that the page saved, once there are this many. */
  async saved(count = 1): Promise<Saved[]> {
    const { downloads } = this.slot.witness;
    const whole = (): number => downloads.entries.filter(({ state }) => state === 'completed').length;
    await vi.waitFor(() => expect(whole()).toBe(count), { timeout: 60_000, interval: 20 });
    return downloads.entries.map(({ guid, suggestedFilename }) => ({
      name: suggestedFilename,
      bytes: readFileSync(path.join(this.#folder, guid)),
    }));
  }

  /** Console messages, and every request after those of the page. Both should be empty. */
  noise(): string[] {
    const { console, network } = this.slot.witness;
    const requests = network.entries.map(({ method, url }) => `${method} ${url}`);
    return [...console.entries.map(({ type, text }) => `console ${type}: ${text}`), ...requests.slice(1)];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.slot.release();
  }
}
