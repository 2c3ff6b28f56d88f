/**
 * Time that counts: it stands still while the tab is hidden (timers and streams are throttled there) and while the user has paused.
 */
export class ActiveClock {
  #counted = 0;
  #since: number | undefined;
  #paused = false;
  #resumed = new Set<() => void>();
  readonly #onVisibility = (): void => this.#update();

  constructor() {
    document.addEventListener('visibilitychange', this.#onVisibility);
    this.#update();
  }

  /** Milliseconds that counted so far. */
  get ms(): number {
    return this.#counted + (this.#since === undefined ? 0 : performance.now() - this.#since);
  }

  get isRunning(): boolean {
    return this.#since !== undefined;
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  set isPaused(paused: boolean) {
    this.#paused = paused;
    this.#update();
  }

  /** Calls the listener whenever the clock continues. Returns a function that unsubscribes. */
  onResume(handler: () => void): () => void {
    this.#resumed.add(handler);
    return () => this.#resumed.delete(handler);
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#onVisibility);
  }

  #update(): void {
    const runs = !this.#paused && document.visibilityState === 'visible';
    if (runs === this.isRunning) return;
    this.#counted = this.ms;
    this.#since = runs ? performance.now() : undefined;
    if (runs) for (const handler of this.#resumed) handler();
  }
}
