/**
 * Turns at the one session that an embedded database has. A statement by itself goes before transactions that wait: lists and pages are read by
 * people, and an import can wait for them. So that reading never stops the writing, a waiting transaction is passed over a limited number of
 * times. Reads that are the same and have not begun yet are done once: when a run changes, every open page asks for the same list.
 */

/** Statements that are given to the database before the first of them is answered: it then need not wait for this thread. */
const STATEMENTS_AT_ONCE = 4;
const PASSED_OVER = 32;

type Begin = () => Promise<void>;

export class Turns {
  readonly #statements: Begin[] = [];
  readonly #transactions: Begin[] = [];
  /** Reads that wait for their turn. */
  readonly #reads = new Map<string, Promise<unknown>>();
  #running = 0;
  #isInTransaction = false;
  #passedOver = 0;

  statement<T>(work: () => Promise<T>): Promise<T> {
    return this.#wait(this.#statements, work);
  }

  /**
   * A statement that changes nothing. Who asks for the same while it waits gets its result; once it has begun, it may have missed what was
   * written since. The same key is always of the same type.
   */
  read<T>(key: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.#reads.get(key);
    if (waiting) return waiting as Promise<T>;
    let hasBegun = false;
    const result = this.#wait(this.#statements, () => {
      hasBegun = true;
      this.#reads.delete(key);
      return work();
    });
    if (!hasBegun) this.#reads.set(key, result);
    return result;
  }

  /** Nothing else has a turn until it has ended. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.#wait(this.#transactions, async () => {
      this.#isInTransaction = true;
      try {
        return await work();
      } finally {
        this.#isInTransaction = false;
      }
    });
  }

  #wait<T>(queue: Begin[], work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    queue.push(() => work().then(resolve, reject));
    this.#next();
    return promise;
  }

  #next(): void {
    while (!this.#isInTransaction) {
      const isTransactionsTurn = this.#statements.length === 0 || this.#passedOver >= PASSED_OVER;
      if (isTransactionsTurn && this.#transactions.length > 0) {
        if (this.#running > 0) return;
        this.#passedOver = 0;
        this.#begin(this.#transactions.shift());
      } else {
        if (this.#statements.length === 0 || this.#running >= STATEMENTS_AT_ONCE) return;
        if (this.#transactions.length > 0) this.#passedOver += 1;
        this.#begin(this.#statements.shift());
      }
    }
  }

  #begin(begin: Begin | undefined): void {
    this.#running += 1;
    void begin?.().finally(() => {
      this.#running -= 1;
      this.#next();
    });
  }
}
