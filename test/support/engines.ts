/** Both engines, for `describe.each(engines)`. PGlite starts from a snapshot that is made once a checkout. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeSnapshot } from '../../src/store/make-snapshot.ts';
import { openStore } from '../../src/store/open-store.ts';
import { snapshotName } from '../../src/store/snapshot.ts';
import type { Store } from '../../src/store/store.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

const cache = path.resolve(import.meta.dirname, '../../.waymark/test-cache');

/** The snapshot of these sources; made when there is none. */
export async function testSnapshot(): Promise<string> {
  const file = path.join(cache, snapshotName());
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  // Two test files may both make it: each renames a whole one into place.
  return await makeSnapshot(cache);
}

export interface EngineUnderTest {
  /** Another store on the same data; closes with the rest unless closed before. */
  open(): Promise<Store>;
  /** What `waymark serve` is given to use the same data. */
  flags(): string[];
  /** Ends and removes everything. */
  close(): Promise<void>;
}

export const engines = [
  { name: 'PGlite', prepare: preparePglite },
  { name: 'PostgreSQL', prepare: preparePostgres },
] as const;

async function preparePglite(): Promise<EngineUnderTest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-store-'));
  const data = path.join(folder, 'data');
  const snapshot = await testSnapshot();
  const stores: Store[] = [];
  return {
    async open() {
      const store = await openStore({ data, snapshot });
      stores.push(store);
      return store;
    },
    flags: () => ['--data', data],
    async close() {
      for (const store of stores) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function preparePostgres(): Promise<EngineUnderTest> {
  const server: TestPostgres = await startPostgres();
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-store-'));
  const database = await server.database('waymark');
  const stores: Store[] = [];
  return {
    async open() {
      const store = await openStore({ database });
      stores.push(store);
      return store;
    },
    flags: () => ['--database', database, '--data', path.join(folder, 'data')],
    async close() {
      for (const store of stores) await store.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
