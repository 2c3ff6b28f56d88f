/** Counts by name, bounded: names that were not counted for long are forgotten. */
const MOST = 10_000;

export class RequestCounts {
  readonly #counts = new Map<string, number>();

  /** Counts one more. @returns the count, from 1. */
  next(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    // A name that is set anew moves to the end: the first one is the one that was not used for the longest time.
    this.#counts.delete(name);
    this.#counts.set(name, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST && oldest !== undefined) this.#counts.delete(oldest);
    return count;
  }
}
