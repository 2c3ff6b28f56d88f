/** Both engines, for `describe.each(engines)`. PGlite starts from a snapshot that is made once a checkout. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

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
  const snapshot = await cachedSnapshot();
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
