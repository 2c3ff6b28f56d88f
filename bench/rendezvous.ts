/** Where agents wait for each other. It opens when all that are expected have arrived or left; `onOpen` runs before any of them goes on. */
export class Rendezvous {
  readonly #onOpen: () => void;
  readonly #open = Promise.withResolvers<void>();
  #missing: number;

  constructor(expected: number, onOpen: () => void) {
    this.#missing = expected;
    this.#onOpen = onOpen;
  }

  /** Resolves when all are there, or at once where the agent's attempt has ended. */
  async arrive(signal: AbortSignal): Promise<void> {
    this.leave();
    if (signal.aborted) return;
    const ended = Promise.withResolvers<void>();
    const onAbort = (): void => ended.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#open.promise, ended.promise]);
    signal.removeEventListener('abort', onAbort);
  }

  /** For one that will not come. */
  leave(): void {
    if (--this.#missing !== 0) return;
    this.#onOpen();
    this.#open.resolve();
  }
}
