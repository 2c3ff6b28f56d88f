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
  /** False: a database of an older version is refused. One that is empty gets its tables all the same. */
  mayUpgrade?: boolean;
}

/** `db` is one session: the lock belongs to it. Several servers may start at once; one migrates, the others wait. */
export async function migrate(db: Database, options: MigrateOptions): Promise<void> {
  const folder = options.folder ?? migrationsFolder;
  await db.execute(sql.raw(`set lock_timeout = '${LOCK_WAIT}'`));
  await db.execute(sql`select pg_advisory_lock(${LOCK})`);
  try {
    const { known, applied } = await migrationsOf(db, folder);
    refuseNewer(known, applied);
    if (options.mayUpgrade === false && applied.length > 0) refuseOlder(known, applied);
    await options.apply(folder);
    await upgradeRows(db);
  } finally {
    await db.execute(sql`select pg_advisory_unlock(${LOCK})`);
    await db.execute(sql`reset lock_timeout`);
  }
}

/** By hash: those of this program, and those that the database has. */
async function migrationsOf(db: Database, folder: string): Promise<{ known: string[]; applied: string[] }> {
  const known = readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash);
  const {
    rows: [table],
  } = await db.execute<{ present: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`,
  );
  if (!table?.present) return { known, applied: [] };
  const { rows } = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
  return { known, applied: rows.map(({ hash }) => hash) };
}

/** drizzle only looks at the newest migration's date; a database that knows more than we do would be taken for ready. */
function refuseNewer(known: readonly string[], applied: readonly string[]): void {
  const unknown = applied.filter((hash) => !known.includes(hash)).length;
  if (unknown === 0) return;
  throw new WaymarkError({
    code: 'database_newer',
    message: `The database was made by a newer waymark: it has ${unknown} ${unknown === 1 ? 'migration' : 'migrations'} that this version does not know.`,
    hint: 'Nothing was changed. Install the newer version, or use another database.',
  });
}

function refuseOlder(known: readonly string[], applied: readonly string[]): void {
  const missing = known.filter((hash) => !applied.includes(hash)).length;
  if (missing === 0) return;
  throw new WaymarkError({
    code: 'database_older',
    message: `The database was made by an older waymark: it lacks ${missing} ${missing === 1 ? 'migration' : 'migrations'} of this version.`,
    hint: 'Nothing was changed. Start waymark serve of this version on it first, or install the version of the server here.',
  });
}
