/** The time of an attempt: wall-clock, stopped while the agent can do nothing but wait for the harness. */
export class Deadline {
  readonly limitMs: number;
  readonly #onEnd: () => void;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #usedMs = 0;
  /** Since when it runs; undefined while it stands. */
  #since: number | undefined;
  #isOver = false;

  constructor(limitMs: number, onEnd: () => void, now: () => number = () => performance.now()) {
    this.limitMs = limitMs;
    this.#onEnd = onEnd;
    this.#now = now;
  }

  get usedMs(): number {
    return this.#usedMs + (this.#since === undefined ? 0 : this.#now() - this.#since);
  }

  run(): void {
    if (this.#since !== undefined || this.#isOver) return;
    this.#since = this.#now();
    this.#timer = setTimeout(() => {
      this.stop();
      this.#onEnd();
    }, this.limitMs - this.#usedMs);
  }

  pause(): void {
    this.#usedMs = this.usedMs;
    this.#since = undefined;
    clearTimeout(this.#timer);
  }

  /** For good. */
  stop(): void {
    this.pause();
    this.#isOver = true;
  }
}
