/** A place for one episode: a browser context of its own, one blank tab, and a witness. */
import type { PageWatch } from '../witness/page-watch.ts';
import { Witness, type WitnessOptions } from '../witness/witness.ts';
import type { BrowserHost } from './browser-host.ts';
import { type Proof, prove } from './proof.ts';

export class Slot {
  readonly host: BrowserHost;
  readonly contextId: string;
  readonly witness: Witness;
  /** The tab that the context begins with. */
  readonly firstPage: PageWatch;
  /** Its number in its browser. */
  readonly serial: number;
  #release: (() => Promise<void>) | undefined;
  #notes: string[] = [];

  private constructor(host: BrowserHost, witness: Witness, firstPage: PageWatch) {
    this.host = host;
    this.serial = ++host.made;
    this.contextId = witness.contextId;
    this.witness = witness;
    this.firstPage = firstPage;
  }

  static async prepare(host: BrowserHost, options: WitnessOptions): Promise<Slot> {
    const { root } = host.browser.connection;
    // A browser that is not ours must not keep our contexts when we go.
    const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
    const witness = await Witness.watch(host.hub, browserContextId, {
      ...options,
      onOrigin: (origin) => host.remember(origin),
    });
    const { targetId } = await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const page = await witness.pageReady(targetId);
    // The first look compiles the script in the page: that is done here, while others run, and not when somebody waits.
    await witness.observe();
    return new Slot(host, witness, page);
  }

  /** Whether nothing of anybody is in this context. */
  prove(origins: readonly string[] = []): Promise<Proof> {
    return prove({ hub: this.host.hub, utilityPage: this.host.utilityPage, witness: this.witness, origins });
  }

  /** What other slots of the same browser did to this one. The journal has them as warnings. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /** For the pool: what release() does. */
  onRelease(release: () => Promise<void>): void {
    this.#release = release;
  }

  /** Gives the place back: the context and all it held are gone afterwards. */
  async release(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    await release?.();
  }

  /** For the pool: ends the context. A browser that died has done so already. */
  async dispose(): Promise<void> {
    this.witness.stop();
    const { connection } = this.host.browser;
    if (!connection.isOpen) return;
    await connection.root
      .send('Target.disposeBrowserContext', { browserContextId: this.contextId }, { timeoutMs: 10_000 })
      .catch((error: unknown) => {
        if (connection.isOpen) throw error;
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }
}
