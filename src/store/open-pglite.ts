/** The database in a folder: PostgreSQL itself, compiled to WebAssembly, in a thread of this process. */
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate as applyMigrations } from 'drizzle-orm/pglite/migrator';
import { fromPglite } from 'pg-boss';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { lockData } from './data-lock.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { PgliteClient } from './pglite-client.ts';
import * as schema from './schema/index.ts';
import { CHANNEL, Signals } from './signals.ts';
import { shippedSnapshot } from './snapshot.ts';
import type { Store } from './store.ts';
import { unpackSnapshot } from './unpack-snapshot.ts';

export interface PgliteOptions {
  /** An empty migrated database to begin with; `null`: begin from nothing. Default: the one in the package, if it is there. */
  snapshot?: string | null;
  /** Given by tests. */
  migrationsFolder?: string;
}

export async function openPglite(data: string, options: PgliteOptions = {}): Promise<Store> {
  const folder = makeFolder(data);
  const lock = lockData(folder);
  let client: PgliteClient | undefined;
  try {
    client = await openClient(folder, options.snapshot === undefined ? shippedSnapshot() : options.snapshot);
    const opened = client;
    // The client has the part of PGlite that drizzle uses.
    const session = drizzle({ client: opened as unknown as PGlite, schema });
    // Its results differ from node-postgres's in everything but `rows`: database.ts keeps that part.
    const db = session as unknown as Database;
    await migrate(db, {
      apply: (migrationsFolder) => applyMigrations(session, { migrationsFolder }),
      ...(options.migrationsFolder ? { folder: options.migrationsFolder } : {}),
    });
    writeFileSync(path.join(folder, READY), '');
    const signals = new Signals(async (onTopic) => {
      const unlisten = await opened.listen(CHANNEL, onTopic);
      return { close: () => unlisten() };
    });
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= (async () => {
        await signals.close();
        await opened.close();
        lock.release();
      })();
      return closed;
    };
    return {
      engine: 'pglite',
      db,
      signals,
      queueConnection: { db: fromPglite(opened), backend: 'pglite' },
      ping: async () => void (await db.execute(sql`select 1`)),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    // The error that made opening fail is the one to throw.
    await client?.close().catch(() => undefined);
    lock.release();
    throw error;
  }
}

/** Written when the database has been made whole. Without it, a first start was cut short, and nothing was promised to anybody. */
const READY = 'ready';

async function openClient(folder: string, snapshot: string | null): Promise<PgliteClient> {
  const database = path.join(folder, 'db');
  const made = existsSync(path.join(folder, READY));
  if (!made) rmSync(database, { recursive: true, force: true });
  try {
    if (!made && snapshot !== null) await unpackSnapshot(snapshot, database);
    return await PgliteClient.open(database);
  } catch (cause) {
    throw new WaymarkError({
      code: 'data_unreadable',
      message: `The database in ${database} can't be opened: ${messageOf(cause)}.`,
      hint: 'Was it made by an older PostgreSQL, or copied while in use? Restore a backup into a new folder: waymark import-data.',
      cause,
    });
  }
}

function makeFolder(data: string): string {
  try {
    // Answers of datasets are in it: no other user of this machine may read them.
    mkdirSync(data, { recursive: true, mode: 0o700 });
    return realpathSync(data);
  } catch (cause) {
    throw new WaymarkError({
      code: 'data_folder_failed',
      message: `The data folder ${data} can't be made: ${messageOf(cause)}.`,
      hint: 'Name one that you may write to with --data.',
      cause,
    });
  }
}
