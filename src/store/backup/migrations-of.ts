import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';

/** What has been done to a database, by hash, in order. */
export async function migrationsOf(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
  return rows.map(({ hash }) => hash);
}
