/** How much later than the end of its connection the end of a process may be noticed. */
export const END_MS = 1_000;

/** The loss of a server, which happens at most once. A promise alone would keep every listener in memory. */
export class Loss {
  readonly promise: Promise<string>;
  #reason: string | undefined;
  #listeners = new Set<(reason: string) => void>();
  #resolve: (reason: string) => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.promise = promise;
    this.#resolve = resolve;
  }

  happened(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#resolve(reason);
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }

  /** Calls the listener at once when the loss has happened already. Returns a function that unsubscribes. */
  listen(listener: (reason: string) => void): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
