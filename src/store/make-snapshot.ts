/** Makes the snapshot: all migrations and the queue's own tables, and not one row of anybody's. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { openPglite } from './open-pglite.ts';
import { Queue } from './queue/queue.ts';
import { snapshotName } from './snapshot.ts';

/** Into a folder; returns the file. */
export async function makeSnapshot(into: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-snapshot-'));
  const data = path.join(folder, 'data');
  try {
    const store = await openPglite(data, { snapshot: null });
    const queue = await Queue.start(store);
    await queue.stop();
    await store.close();
    const client = await PGlite.create(path.join(data, 'db'));
    const archive = await client.dumpDataDir('gzip');
    await client.close();
    const file = path.join(into, snapshotName());
    writeFileSync(`${file}.${process.pid}`, new Uint8Array(await archive.arrayBuffer()));
    renameSync(`${file}.${process.pid}`, file);
    return file;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
