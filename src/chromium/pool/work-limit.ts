/** Runs at most so many works at once. The others wait in the order in which they came. */
export class WorkLimit {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(max: number) {
    this.#free = max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place passes to the next one, so that a later caller can't take it first.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
