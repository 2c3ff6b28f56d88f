/**
 * An empty, migrated database as one file. From nothing, a new folder takes the embedded database several seconds of work and more than a
 * gigabyte of memory. The build makes a file that is exactly of this version; a checkout has one in the repository, which may lack the newest
 * migrations: they are applied when it is opened.
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
  const files = [path.join(import.meta.dirname, snapshotName()), checkoutSnapshot()];
  return files.find((file) => existsSync(file)) ?? null;
}

/** Made by `node scripts/make-checkout-snapshot.ts`. Its format is that of the embedded database's version; migrations and queue bring themselves up to date. */
export function checkoutSnapshot(): string {
  const version = versionOf('@electric-sql/pglite').split('@').at(-1);
  return path.join(import.meta.dirname, `checkout-snapshot-${version}.tar.br`);
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
