import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cachedSnapshot } from '../../scripts/build-store.ts';
import { TABLES } from '../../src/store/backup/archive.ts';
import {
  appendRunLog,
  exportData,
  FolderArtifacts,
  importData,
  openStore,
  type Store,
  schema,
} from '../../src/store/index.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { HASH, seedProvider, seedRun } from '../support/seed.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-backup-'));
const file = path.join(folder, 'backup.jsonl.gz');
let postgres: TestPostgres;
let pglite: Store;
let server: Store;
beforeAll(async () => {
  postgres = await startPostgres();
  pglite = await openStore({ data: path.join(folder, 'data'), snapshot: await cachedSnapshot() });
  server = await openStore({ database: await postgres.database('backup') });
});
afterAll(async () => {
  await pglite?.close();
  await server?.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const artifacts = (name: string) => new FolderArtifacts(path.join(folder, name));
/** All rows as text. */
async function contents(store: Store): Promise<unknown> {
  const all: unknown[] = [];
  for (const table of TABLES) {
    const { rows } = await store.db.execute<{ row: string }>(
      sql`select row_to_json(t)::text as row from ${sql.identifier(table)} t`,
    );
    // Sorted here: the two engines order text by different rules.
    all.push(rows.map(({ row }) => row).sort());
  }
  return all;
}

test('every table is in a backup', async () => {
  const { rows } = await pglite.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  // Restoring the runs creates their events again; workers report themselves.
  expect(rows.map(({ name }) => name)).toEqual([...TABLES, 'run_event', 'worker'].sort());
});

test('data moves from a folder to a server and back without a difference', async () => {
  const { run, dataset } = await seedRun(pglite.db, 1_200);
  await seedProvider(pglite.db, 'browser');
  await pglite.db.insert(schema.grade).values([
    {
      runId: run.id,
      caseId: 'item-0',
      attempt: 1,
      round: 1,
      grader: 'exact',
      score: 0.1 + 0.2,
      verdict: 'pass',
      details: { n: 1e-7, t: 'ä\n"' },
    },
    { runId: run.id, caseId: 'item-1', attempt: 1, round: 1, grader: 'judge', verdict: 'error' },
  ]);
  await pglite.db.transaction((tx) => appendRunLog(pglite, tx, run.id, [{ level: 'info', code: 'x', message: 'y' }]));
  await pglite.db.insert(schema.captureImport).values({
    runId: run.id,
    payloadSha256: HASH,
    payloadBytes: 1,
    providerReused: false,
    datasetReused: true,
    gradingQueued: true,
    counts: { a: 1 },
  });
  await pglite.db.insert(schema.pack).values({
    datasetId: dataset.id,
    versionHash: HASH,
    itemIds: ['item-0'],
    itemIdsHash: HASH,
    itemCount: 1,
    target: {},
    jti: 'j',
    kid: 'k',
    expiresAt: new Date(),
  });
  const from = artifacts('one');
  await from.put('runs/a.bin', Buffer.alloc(500_000, 3));
  await from.put('runs/empty', '');
  const { rows, artifacts: files } = await exportData(pglite, from, file, { version: '1.2.3' });
  expect({ rows, files }).toEqual({ rows: 1 + 1_200 + 2 + 1 + 1 + 1_200 + 1_200 + 1 + 2 + 1, files: 2 });
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const to = artifacts('two');
  expect(await importData(server, to, file)).toEqual({ rows, artifacts: files });
  expect(await contents(server)).toEqual(await contents(pglite));
  expect((await text(await to.get('runs/a.bin'))).length).toBe(500_000);
  // New grades are numbered after the old ones.
  const [added] = await server.db
    .insert(schema.grade)
    .values({ runId: run.id, caseId: 'item-0', attempt: 1, round: 2, grader: 'exact', score: 1, verdict: 'pass' })
    .returning();
  expect(added?.id).toBe(3);
  const again = path.join(folder, 'again.jsonl.gz');
  expect((await exportData(server, to, again, { version: '1.2.3' })).rows).toBe(rows + 1);
  await expect(importData(pglite, from, again)).rejects.toMatchObject({ code: 'store_not_empty' });
});

test.each([
  ['cut off', (lines: string[]) => lines.slice(0, -1), 'The archive is damaged: it has no end. Nothing was imported.'],
  [
    'with a row missing',
    (lines: string[]) => lines.toSpliced(2, 1),
    /damaged: parts of it are missing|violates foreign key/,
  ],
  [
    'with a changed artifact',
    (lines: string[]) => lines.map((line) => line.replace('"piece":"AwMD', '"piece":"BAMD')),
    /artifact runs\/a\.bin is not what it was/,
  ],
  [
    'with a foreign line',
    (lines: string[]) => lines.toSpliced(1, 0, '{"table":"pg_authid","row":{}}'),
    /a line is not as it should be/,
  ],
  [
    'of other tables',
    (lines: string[]) => lines.map((line) => line.replace(/"migrations":\["/, '"migrations":["0')),
    /was written by waymark 1\.2\.3/,
  ],
  ['of something else', () => ['{"hello":1}'], /is no archive of waymark export-data/],
])('an archive %s is refused, and nothing is written', async (name, damage, message) => {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
  const damaged = path.join(folder, 'damaged.jsonl.gz');
  writeFileSync(damaged, gzipSync(`${damage(lines).join('\n')}\n`));
  await using store = await openStore({ database: await postgres.database(name) });
  const into = artifacts('three');
  const failure = await importData(store, into, damaged).then(
    () => 'imported',
    (error: Error) => `${error.message} ${error.cause ?? ''}`,
  );
  expect(failure).toMatch(message);
  expect(await store.db.$count(schema.dataset)).toBe(0);
  for await (const { key } of into.list()) expect(key).toBe('not there');
});
