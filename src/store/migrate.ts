/** Brings a database to this program's tables, or says why that is not possible. */
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { WaymarkError } from '../errors/index.ts';
import type { Database } from './database.ts';
import { upgradeRows } from './upgrade/upgrade-rows.ts';

/** Beside this file in src/ and in dist/ alike. */
export const migrationsFolder = path.join(import.meta.dirname, 'migrations');

/** Any number that nothing else uses: the lock is the database's, by number. */
const LOCK = 752_001;
const LOCK_WAIT = '60s';

export interface MigrateOptions {
  /** drizzle's migrator for this engine. */
  apply: (folder: string) => Promise<void>;
  /** Given by tests. */
  folder?: string;
}

/** `db` is one session: the lock belongs to it. Several servers may start at once; one migrates, the others wait. */
export async function migrate(db: Database, options: MigrateOptions): Promise<void> {
  const folder = options.folder ?? migrationsFolder;
  await db.execute(sql.raw(`set lock_timeout = '${LOCK_WAIT}'`));
  await db.execute(sql`select pg_advisory_lock(${LOCK})`);
  try {
    await refuseNewer(db, folder);
    await options.apply(folder);
    await upgradeRows(db);
  } finally {
    await db.execute(sql`select pg_advisory_unlock(${LOCK})`);
    await db.execute(sql`reset lock_timeout`);
  }
}

/** drizzle only looks at the newest migration's date; a database that knows more than we do would be taken for ready. */
async function refuseNewer(db: Database, folder: string): Promise<void> {
  const known = new Set(readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash));
  const {
    rows: [table],
  } = await db.execute<{ present: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`,
  );
  if (!table?.present) return;
  const { rows } = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
  const unknown = rows.filter(({ hash }) => !known.has(hash)).length;
  if (unknown === 0) return;
  throw new WaymarkError({
    code: 'database_newer',
    message: `The database was made by a newer waymark: it has ${unknown} ${unknown === 1 ? 'migration' : 'migrations'} that this version does not know.`,
    hint: 'Nothing was changed. Install the newer version, or use another database.',
  });
}
