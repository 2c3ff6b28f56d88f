/** Waiting for the page: looks again when the document changes, and every `pollMs` in case a change shows in no mutation. */
import type { ActiveClock } from './clock.ts';

/** A page that streams changes all the time; it need not be read more often than this. */
const MIN_LOOK_MS = 30;

export class Waiter {
  readonly clock: ActiveClock;
  readonly #pollMs: number;
  readonly #observer: MutationObserver;
  #wake: () => void = () => {};
  #soon: ReturnType<typeof setTimeout> | undefined;
  /** Of the item at hand: skipping or stopping ends every wait. */
  signal: AbortSignal = new AbortController().signal;

  constructor(clock: ActiveClock, pollMs: number) {
    this.clock = clock;
    this.#pollMs = pollMs;
    this.#observer = new MutationObserver(() => {
      this.#soon ??= setTimeout(() => {
        this.#soon = undefined;
        this.#wake();
      }, MIN_LOOK_MS);
    });
    this.#observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  /** The first value of `look` that is neither undefined nor false; undefined after the time limit. While the clock is paused, `look` is not called. */
  async until<T>(look: () => T | undefined | false, ms: number): Promise<T | undefined> {
    const end = this.clock.ms + ms;
    for (;;) {
      this.signal.throwIfAborted();
      if (this.clock.isRunning) {
        const value = look();
        if (value !== undefined && value !== false) return value;
        if (this.clock.ms >= end) return undefined;
      }
      await this.#tick(Math.max(1, Math.min(this.#pollMs, end - this.clock.ms)));
    }
  }

  async sleep(ms: number): Promise<void> {
    await this.until(() => undefined, ms);
  }

  stop(): void {
    this.#observer.disconnect();
    clearTimeout(this.#soon);
  }

  #tick(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.signal.addEventListener('abort', wake, { once: true });
      this.#wake = wake;
    });
  }
}
