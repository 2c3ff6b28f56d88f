/** The loss of a server: happens once, or never. A promise alone would keep every call that ever listened. */
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

  /** At once, where it has happened already. Gives the way to stop listening. */
  listen(listener: (reason: string) => void): () => void {
    if (this.#reason !== undefined) {
      listener(this.#reason);
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
