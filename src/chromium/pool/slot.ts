/** The browser context of one episode, with one blank tab and a witness. */
import { SlotClipboard } from '../clipboard/slot-clipboard.ts';
import type { PageWatch } from '../witness/page-watch.ts';
import { Witness, type WitnessOptions } from '../witness/witness.ts';
import type { BrowserHost } from './browser-host.ts';
import { type Proof, prove } from './proof.ts';

export class Slot {
  readonly host: BrowserHost;
  readonly contextId: string;
  readonly witness: Witness;
  /** The context's first tab. */
  readonly firstPage: PageWatch;
  /** Its number in its browser. */
  readonly serial: number;
  readonly clipboard: SlotClipboard;
  #release: (() => Promise<void>) | undefined;
  readonly #notes: string[];
  #isDisposed = false;

  private constructor(
    host: BrowserHost,
    witness: Witness,
    firstPage: PageWatch,
    { clipboard, notes }: { clipboard: SlotClipboard; notes: string[] },
  ) {
    this.host = host;
    this.clipboard = clipboard;
    this.#notes = notes;
    this.serial = ++host.made;
    this.contextId = witness.contextId;
    this.witness = witness;
    this.firstPage = firstPage;
  }

  static async prepare(host: BrowserHost, options: WitnessOptions): Promise<Slot> {
    const { root } = host.browser.connection;
    // A browser that we did not start must not keep our contexts after we disconnect.
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    const notes: string[] = [];
    const clipboard = new SlotClipboard(host.utilityPage.clipboard, (text) => notes.push(text));
    const witness = await Witness.watch(host.hub, browserContextId, {
      ...options,
      clipboard,
      onOrigin: (origin) => host.remember(origin),
    });
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const page = await witness.pageReady(targetId);
    // The first observation compiles the script in the page. It is made here, so that no step waits for it.
    await witness.observe();
    return new Slot(host, witness, page, { clipboard, notes });
  }

  /** Checks that this context holds nothing from an earlier episode. */
  prove(origins: readonly string[] = []): Promise<Proof> {
    const { host, witness, clipboard } = this;
    return prove({ hub: host.hub, utilityPage: host.utilityPage, witness, clipboard, origins });
  }

  /** What happened to this slot without the agent's fault. The journal stores these notes as warnings. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /** For the pool: sets what `release` does. */
  onRelease(release: () => Promise<void>): void {
    this.#release = release;
  }

  /** Returns the slot to the pool, which disposes of the context and everything in it. */
  async release(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    await release?.();
  }

  /** A further context of this episode, for a tool server that makes its own ones. The witness watches it, and it ends with the slot. */
  async openContext(): Promise<string> {
    const { root } = this.host.browser.connection;
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    await this.witness.watchContext(browserContextId);
    // The slot may have ended in the meantime.
    if (this.#isDisposed) await this.closeContext(browserContextId);
    return browserContextId;
  }

  /** When the browser has died, nothing is left to do. */
  async closeContext(contextId: string): Promise<void> {
    this.witness.forgetContext(contextId);
    const { connection } = this.host.browser;
    if (!connection.isOpen) return;
    await connection.root
      .send('Target.disposeBrowserContext', { browserContextId: contextId }, { timeoutMs: 10_000 })
      .catch((error: unknown) => {
        if (connection.isOpen) throw error;
      });
  }

  /** For the pool: disposes of the slot's context and of those that were opened beside it. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const contexts = [...this.witness.contexts];
    this.witness.stop();
    await Promise.all(contexts.map((contextId) => this.closeContext(contextId)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}
