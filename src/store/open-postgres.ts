/** The database on a PostgreSQL server, for several servers and workers. */
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { Database } from './database.ts';
import { useInt8Parser } from './int8.ts';
import { limitTransactions } from './limit-transactions.ts';
import { listenPostgres } from './listen-postgres.ts';
import { migrate } from './migrate.ts';
import * as schema from './schema/index.ts';
import { Signals } from './signals.ts';
import type { Store } from './store.ts';

export interface PostgresOptions {
  /** Connections of this process, apart from the queue's. */
  connections?: number;
  /** Given by tests. */
  migrationsFolder?: string;
  /** False: a database of an older version is refused and not changed: others may be at work in it. */
  mayUpgrade?: boolean;
}

const CONNECT_MS = 10_000;
const CONNECTIONS = 10;
const QUEUE_CONNECTIONS = 4;
/** Of the connections, those that transactions may have at once: imports that wait for one another must not keep the others from reading. */
const SHARE_OF_TRANSACTIONS = 0.4;

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Store> {
  useInt8Parser();
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'waymark',
    // Texts of times must not depend on the server's place; PGlite is in UTC too.
    options: '-c timezone=UTC',
  };
  const connections = options.connections ?? CONNECTIONS;
  const pool = new pg.Pool({ ...connection, max: connections });
  // An idle connection that the server ended: the pool makes another. Without a listener it would end the process.
  pool.on('error', () => undefined);
  try {
    await migrateOnOneSession(pool, url, options);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = drizzle({ client: pool, schema }) as unknown as Database;
  limitTransactions(db, Math.max(1, Math.floor(connections * SHARE_OF_TRANSACTIONS)));
  const signals = new Signals(listenPostgres(connection));
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= signals.close().then(() => pool.end());
    return closed;
  };
  return {
    engine: 'postgres',
    db,
    signals,
    queueConnection: { ...connection, max: QUEUE_CONNECTIONS },
    ping: async () => void (await db.execute(sql`select 1`)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function migrateOnOneSession(
  pool: pg.Pool,
  url: string,
  { migrationsFolder: folder, mayUpgrade = true }: PostgresOptions,
): Promise<void> {
  let client: pg.PoolClient;
  try {
    client = await pool.connect();
  } catch (cause) {
    throw new WaymarkError({
      code: 'database_unreachable',
      message: `The database at ${withoutPassword(url)} can't be reached: ${messageOf(cause)}.`,
      hint: 'Is the server up, and are name, user and password right? Try the same address with psql.',
      cause,
    });
  }
  try {
    const session = drizzle({ client, schema });
    await migrate(session as unknown as Database, {
      apply: (migrationsFolder) => applyMigrations(session, { migrationsFolder }),
      mayUpgrade,
      ...(folder ? { folder } : {}),
    });
  } finally {
    client.release();
  }
}

/** An address that may be shown. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'the given address';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
