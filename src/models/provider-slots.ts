/** How many calls one provider has to bear at once, over all runs of this server that ask it or are judged by it. First come, first served. */
export class ProviderSlots {
  readonly #max: number;
  readonly #providers = new Map<string, { busy: number; waiting: (() => void)[] }>();

  constructor(max: number) {
    this.#max = max;
  }

  async use<T>(provider: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(provider, signal);
    try {
      return await work();
    } finally {
      this.#leave(provider);
    }
  }

  async #enter(provider: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const place = this.#providers.get(provider) ?? { busy: 0, waiting: [] };
    this.#providers.set(provider, place);
    if (place.busy < this.#max) {
      place.busy += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        place.waiting.splice(place.waiting.indexOf(called), 1);
        reject(signal.reason);
      };
      // The slot passes from hand to hand: `busy` stays as it is.
      const called = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      place.waiting.push(called);
    });
  }

  #leave(provider: string): void {
    const place = this.#providers.get(provider);
    if (!place) return;
    const next = place.waiting.shift();
    if (next) return next();
    place.busy -= 1;
    if (place.busy === 0) this.#providers.delete(provider);
  }
}
