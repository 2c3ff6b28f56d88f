/** The database, opened. */
import type { ConstructorOptions } from 'pg-boss';
import type { Database, Engine } from './database.ts';
import type { Signals } from './signals.ts';

export interface Store {
  readonly engine: Engine;
  readonly db: Database;
  readonly signals: Signals;
  /** How the queue reaches the same database. */
  readonly queueConnection: ConstructorOptions;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
