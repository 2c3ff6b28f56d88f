/**
 * An empty, migrated database as one file. A new folder from it takes a quarter of the time of a new folder from nothing.
 * The build makes it; a checkout without a build does without.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { migrationsFolder } from './migrate.ts';

/** Its name says what is in it, so that an old one is never taken for a new one. */
export function snapshotName(): string {
  const hash = createHash('sha256');
  for (const migration of readMigrationFiles({ migrationsFolder })) hash.update(migration.hash);
  for (const name of ['@electric-sql/pglite', 'pg-boss']) hash.update(versionOf(name));
  return `snapshot-${hash.digest('hex').slice(0, 16)}.tar.gz`;
}

export function shippedSnapshot(): string | null {
  const file = path.join(import.meta.dirname, snapshotName());
  return existsSync(file) ? file : null;
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  // The manifest is not among every package's exports: from the entry upwards.
  for (
    let folder = path.dirname(require.resolve(name));
    folder !== path.dirname(folder);
    folder = path.dirname(folder)
  ) {
    const file = path.join(folder, 'package.json');
    if (existsSync(file)) return `${name}@${(JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version}`;
  }
  throw new Error(`no package.json above ${name}`);
}
