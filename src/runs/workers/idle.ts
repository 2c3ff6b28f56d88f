/** Waits for a signal, but not for ever: one may be lost. */
export class Idle {
  readonly #end: AbortSignal;
  #wake: (() => void) | undefined;
  #isCalled = false;

  constructor(end: AbortSignal) {
    this.#end = end;
    end.addEventListener('abort', () => this.wake(), { once: true });
  }

  /** Also ends a wait that has not begun yet. */
  wake(): void {
    this.#isCalled = true;
    this.#wake?.();
  }

  async wait(atMostMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, atMostMs);
    this.#wake = resolve;
    if (!this.#isCalled && !this.#end.aborted) await promise;
    this.#isCalled = false;
    this.#wake = undefined;
    clearTimeout(timer);
  }
}
