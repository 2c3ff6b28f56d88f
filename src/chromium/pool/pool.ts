/**
 * Slots for episodes, prepared ahead: the next context is created while other episodes run, so that an episode does not wait for it.
 * A slot is given out only with a proof that it is clean. A browser that dies, or in which no slot can be made any more, is replaced, and the
 * pool reports it as an event.
 */
import { availableParallelism } from 'node:os';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import type { Browser } from '../launch/browser.ts';
import type { WitnessOptions } from '../witness/witness.ts';
import { BrowserHost } from './browser-host.ts';
import type { Proof } from './proof.ts';
import { Slot } from './slot.ts';
import { WorkLimit } from './work-limit.ts';

export interface PoolOptions {
  /** Starts a browser; called again when one dies. */
  start: () => Promise<Browser>;
  /** How many episodes run at the same time. */
  slots: number;
  /** `context`: slots share browser processes. `process`: one browser process per slot. */
  isolation?: 'context' | 'process';
  /** With `context`: how many slots one browser holds before another browser is started. By default, see `slotsPerBrowser`. */
  slotsPerBrowser?: number;
  witness?: WitnessOptions;
  /** Every n-th slot is also checked at the origins that earlier episodes of its browser visited, which tests Chromium's own isolation. 0: never. */
  deepEvery?: number;
  onEvent?: (event: PoolEvent) => void;
}

export type PoolEvent =
  | { type: 'browser_started'; product: string; pid: number | undefined }
  | { type: 'browser_lost'; reason: string; pid: number | undefined }
  /** It lives, but no slot can be made in it. It is closed when its running slots have ended. */
  | { type: 'browser_replaced'; reason: string; pid: number | undefined }
  | { type: 'slot_refused'; findings: string[] };

export interface AcquiredSlot {
  slot: Slot;
  proof: Proof;
}

/**
 * How many slots are prepared at once for each core. A hundred at once would take as long in all, but each of them would take that long,
 * and on a busy machine longer than the browser's time limits.
 */
const PREPARED_PER_CORE = 4;

/** How often a refused slot, or a browser in which none can be made, is replaced before `acquire` fails. */
const MAX_REFUSALS = 2;

export class Pool {
  readonly #options: Required<Pick<PoolOptions, 'isolation' | 'slotsPerBrowser' | 'deepEvery' | 'onEvent'>> &
    PoolOptions;
  #hosts = new Set<BrowserHost>();
  #opening = new Set<OpeningHost>();
  #preparing = new WorkLimit(PREPARED_PER_CORE * availableParallelism());
  #spares: Promise<Slot>[] = [];
  #busy = new Set<Slot>();
  #reserved = 0;
  #waiters: (() => void)[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    const shared = slotsPerBrowser(options.slots, availableParallelism());
    this.#options = { isolation: 'context', slotsPerBrowser: shared, deepEvery: 25, onEvent: () => {}, ...options };
  }

  get inUse(): number {
    return this.#busy.size;
  }

  get browsers(): Browser[] {
    return [...this.#hosts].map(({ browser }) => browser);
  }

  /** Prepares slots before they are needed. */
  async warm(count = this.#options.slots): Promise<void> {
    while (this.#spares.length < count) this.#spares.push(this.#prepare());
    await Promise.all(this.#spares);
  }

  /** Waits until the slots that are being prepared are ready. */
  async settled(): Promise<void> {
    await Promise.allSettled([...[...this.#opening].map(({ host }) => host), ...this.#spares]);
  }

  /** Disposes of the prepared slots (their settings are out of date, or a measurement needs a cold start). */
  async drainSpares(): Promise<void> {
    const spares = this.#spares.splice(0);
    for (const spare of await Promise.allSettled(spares))
      if (spare.status === 'fulfilled') await this.#drop(spare.value);
  }

  /** Returns a clean slot. Waits while all slots are in use. */
  async acquire(signal?: AbortSignal): Promise<AcquiredSlot> {
    await this.#turn(signal);
    try {
      for (let refusals = 0; ; refusals++) {
        const slot = await this.#take();
        try {
          const proof = await this.#check(slot);
          if (proof.clean) return this.#handOut(slot, proof);
          this.#options.onEvent({ type: 'slot_refused', findings: proof.findings });
          if (refusals >= MAX_REFUSALS) throw dirtyError(proof.findings);
          await this.#drop(slot);
        } catch (error) {
          await this.#drop(slot);
          // When the browser of a prepared slot has died or was retired, the next attempt starts another browser.
          if (slot.host.isAlive || refusals >= MAX_REFUSALS) throw error;
        }
      }
    } catch (error) {
      this.#giveTurn();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiter of this.#waiters.splice(0)) waiter();
    await Promise.allSettled([...[...this.#opening].map(({ host }) => host), ...this.#spares]);
    this.#spares = [];
    await Promise.all([...this.#hosts].map(({ browser }) => browser.close()));
    this.#hosts.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    while (this.#busy.size + this.#reserved >= this.#options.slots && !this.#closed) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void =>
        reject(new WaymarkError({ code: 'slot_aborted', message: 'The wait for a browser slot was aborted.' }));
      if (signal?.aborted) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(resolve);
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
        this.#waiters = this.#waiters.filter((waiter) => waiter !== resolve);
      }
    }
    if (this.#closed) throw closedError();
    this.#reserved++;
  }

  #giveTurn(): void {
    this.#reserved--;
    this.#waiters.shift()?.();
  }

  async #take(): Promise<Slot> {
    for (let spare = this.#spares.shift(); spare; spare = this.#spares.shift()) {
      // A spare slot that failed, or whose browser is of no use any more, is passed over.
      const slot = await spare.catch(() => undefined);
      if (slot?.host.isAlive) return slot;
      if (slot) await this.#drop(slot);
    }
    return this.#prepare();
  }

  #check(slot: Slot): Promise<Proof> {
    const { deepEvery } = this.#options;
    const isDeep = deepEvery > 0 && slot.serial % deepEvery === 0;
    return slot.prove(isDeep ? slot.host.origins : []);
  }

  #handOut(slot: Slot, proof: Proof): AcquiredSlot {
    this.#reserved--;
    this.#busy.add(slot);
    slot.onRelease(async () => {
      this.#busy.delete(slot);
      // The next context is created while this one is disposed of.
      await this.#drop(slot).finally(() => this.#waiters.shift()?.());
    });
    if (this.#spares.length === 0 && !this.#closed) this.#spares.push(this.#prepare());
    return { slot, proof };
  }

  #prepare(): Promise<Slot> {
    const preparing = this.#preparing.run(async () => {
      for (let failures = 0; ; failures++) {
        // A closed pool must not start another browser.
        if (this.#closed) throw closedError();
        const host = await this.#hostForSlot();
        try {
          return await Slot.prepare(host, this.#options.witness ?? {});
        } catch (error) {
          this.#retire(host, messageOf(error));
          await this.#leave(host);
          if (failures >= MAX_REFUSALS) throw error;
        }
      }
    });
    // A spare may fail before it is taken. The error is reported when it is taken.
    preparing.catch(() => {});
    return preparing;
  }

  /**
   * The browser with the fewest slots, also among those that are still starting. Another browser is started when it is full and the number
   * of slots allows one more.
   */
  async #hostForSlot(): Promise<BrowserHost> {
    const { isolation, slots, slotsPerBrowser } = this.#options;
    const own = isolation === 'process';
    const wanted = own ? Number.POSITIVE_INFINITY : Math.ceil(slots / slotsPerBrowser);
    const started = [...this.#hosts].filter(({ isAlive }) => isAlive);
    const leastUsed = [...started, ...this.#opening].sort((a, b) => a.slotCount - b.slotCount)[0];
    const isFull = leastUsed === undefined || own || leastUsed.slotCount >= slotsPerBrowser;
    if (leastUsed === undefined || (isFull && started.length + this.#opening.size < wanted)) return this.#open();
    leastUsed.slotCount++;
    return leastUsed instanceof BrowserHost ? leastUsed : leastUsed.host;
  }

  #open(): Promise<BrowserHost> {
    const host = BrowserHost.open(this.#options.start).then((opened) => {
      opened.slotCount = opening.slotCount;
      this.#hosts.add(opened);
      this.#watch(opened);
      return opened;
    });
    const opening: OpeningHost = { host: host.finally(() => this.#opening.delete(opening)), slotCount: 1 };
    this.#opening.add(opening);
    return opening.host;
  }

  #watch(host: BrowserHost): void {
    const { browser } = host;
    this.#options.onEvent({ type: 'browser_started', product: browser.identity.product, pid: browser.pid });
    void browser.gone.then(async (reason) => {
      if (!this.#hosts.delete(host) || this.#closed) return;
      this.#options.onEvent({ type: 'browser_lost', reason, pid: browser.pid });
      await browser.close();
    });
    void host.utilityPage.gone.then(() => this.#retire(host, 'the page of the harness in it has crashed'));
  }

  /** Another browser takes its place. A browser that has died is reported as lost instead. */
  #retire(host: BrowserHost, reason: string): void {
    const { browser } = host;
    if (this.#closed || !browser.connection.isOpen || !host.retire()) return;
    this.#options.onEvent({ type: 'browser_replaced', reason, pid: browser.pid });
  }

  async #drop(slot: Slot): Promise<void> {
    try {
      await slot.dispose();
    } catch (error) {
      this.#retire(slot.host, messageOf(error));
      throw error;
    } finally {
      await this.#leave(slot.host);
    }
  }

  /** A slot of the browser has ended. A browser that no other slot can use is closed with its last one. */
  async #leave(host: BrowserHost): Promise<void> {
    host.slotCount--;
    const isOver = this.#options.isolation === 'process' || (host.slotCount === 0 && !host.isAlive);
    if (isOver && this.#hosts.delete(host)) await host.browser.close();
  }
}

/** A browser that is being started, with the slots that wait for it. */
interface OpeningHost {
  readonly host: Promise<BrowserHost>;
  slotCount: number;
}

/**
 * The smallest number of slots that are worth another browser process. On two cores, four episodes at once took 6 % less CPU in one browser
 * than in two, and eight or sixteen at once 3 to 5 % less. Not more than eight, because with more cores the main thread of one browser, which an
 * episode keeps busy for 80 to 90 ms, would be the bound.
 */
const MIN_SLOTS_PER_BROWSER = 8;

/**
 * As many browsers as cores, because a browser's own process and its compositor are busy in one thread each. More browsers need more memory
 * and more CPU: fifty slots on two cores took 2020 MiB in thirteen browsers, and 1500 MiB in two.
 */
function slotsPerBrowser(slots: number, cores: number): number {
  return Math.max(MIN_SLOTS_PER_BROWSER, Math.ceil(slots / cores));
}

function closedError(): WaymarkError {
  return new WaymarkError({ code: 'pool_closed', message: 'The browser pool is closed.' });
}

function dirtyError(findings: string[]): WaymarkError {
  return new WaymarkError({
    code: 'env_error',
    message: `Could not get a clean browser slot. The last one was refused: ${findings.join('; ')}.`,
    hint: 'Try --isolation process, which starts one browser process per episode.',
  });
}
