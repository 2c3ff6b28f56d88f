/**
 * Builds what the store needs besides its code: the migrations, and an empty migrated database for a fast first start.
 * The latter takes about ten seconds, so it is cached in .waymark/ under a name that depends on its content.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { makeSnapshot } from '../src/store/make-snapshot.ts';
import { migrationsFolder } from '../src/store/migrate.ts';
import { snapshotName } from '../src/store/snapshot.ts';

const cache = path.resolve(import.meta.dirname, '../.waymark/snapshots');

/** The snapshot for the current sources, created if it is missing. */
export async function cachedSnapshot(): Promise<string> {
  const file = path.join(cache, snapshotName());
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Two processes may create it at once: each renames a complete one into place.
  return await makeSnapshot(cache);
}

export async function buildStore(dist: string): Promise<void> {
  const into = path.join(dist, 'store');
  cpSync(migrationsFolder, path.join(into, 'migrations'), { recursive: true });
  copyFileSync(await cachedSnapshot(), path.join(into, snapshotName()));
}
