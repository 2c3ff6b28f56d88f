/**
 * "Something about this topic has changed", told across processes by the database (NOTIFY), at commit, never before.
 * A signal carries no data: who hears it reads the tables. So a lost one costs time, never truth.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';

export const CHANNEL = 'waymark';

/** How an engine listens. `onGap` is called when signals may have been missed. */
export type Listen = (onTopic: (topic: string) => void, onGap: () => void) => Promise<{ close(): Promise<void> }>;

export class Signals {
  readonly #listen: Listen;
  readonly #listeners = new Map<string, Set<() => void>>();
  #connection: Promise<{ close(): Promise<void> }> | undefined;

  constructor(listen: Listen) {
    this.#listen = listen;
  }

  /** Tells the topic, as a part of a statement of the transaction of the change. */
  sending(topic: string): SQL {
    return sql`pg_notify(${CHANNEL}, ${topic})`;
  }

  /** Inside the transaction of the change. */
  async send(db: Queryable, topic: string): Promise<void> {
    await db.execute(sql`select ${this.sending(topic)}`);
  }

  /** Resolves when it is certain that no later signal is missed. */
  async subscribe(topic: string, listener: () => void): Promise<() => void> {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners);
    // Each subscription is its own, even of the same function.
    const own = () => listener();
    listeners.add(own);
    const forget = () => {
      listeners.delete(own);
      if (listeners.size === 0 && this.#listeners.get(topic) === listeners) this.#listeners.delete(topic);
    };
    this.#connection ??= this.#listen(
      (heard) => this.#tell(heard),
      () => this.#tellAll(),
    );
    try {
      await this.#connection;
    } catch (error) {
      this.#connection = undefined;
      forget();
      throw error;
    }
    return forget;
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    // A connection that was never made needs no closing.
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  #tell(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  #tellAll(): void {
    for (const topic of this.#listeners.keys()) this.#tell(topic);
  }
}
