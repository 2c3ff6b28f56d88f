/**
 * What the store needs beside its code: the migrations, and the empty migrated database for a quick first start.
 * Making the latter takes some ten seconds; it is kept in .waymark/ under a name that changes with what is in it.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeSnapshot } from '../src/store/make-snapshot.ts';
import { migrationsFolder } from '../src/store/migrate.ts';
import { snapshotName } from '../src/store/snapshot.ts';

const cache = path.resolve(import.meta.dirname, '../.waymark/snapshots');

/** The snapshot of these sources; made when there is none. */
export async function cachedSnapshot(): Promise<string> {
  const file = path.join(cache, snapshotName());
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Two may make it at once: each renames a whole one into place.
  return await makeSnapshot(cache);
}

export async function buildStore(dist: string): Promise<void> {
  const into = path.join(dist, 'store');
  cpSync(migrationsFolder, path.join(into, 'migrations'), { recursive: true });
  copyFileSync(await cachedSnapshot(), path.join(into, snapshotName()));
}
