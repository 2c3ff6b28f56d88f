/** Writes everything into one file, as it stood at one moment. Jobs are not in it: they are made again from the runs. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import type { Artifacts } from '../artifacts/artifacts.ts';
import type { Transaction } from '../database.ts';
import type { Store } from '../store.ts';
import { type ArchiveHead, type ArchiveLine, type BackupCounts, FORMAT, TABLES } from './archive.ts';
import { migrationsOf } from './migrations-of.ts';

const ROWS_AT_ONCE = 500;
/** Divisible by three: no piece but the last needs padding. */
const PIECE_BYTES = 192 * 1024;

export interface ExportOptions {
  version: string;
  now?: () => Date;
}

export async function exportData(
  store: Store,
  artifacts: Artifacts,
  file: string,
  { version, now = () => new Date() }: ExportOptions,
): Promise<BackupCounts> {
  const counts: BackupCounts = { rows: 0, artifacts: 0 };
  const temporary = `${file}.${process.pid}.part`;
  try {
    await store.db.transaction(
      async (tx) => {
        const migrations = await migrationsOf(tx);
        const head: ArchiveHead = { format: FORMAT, version, exported_at: now().toISOString(), migrations };
        // Answers of datasets are in it.
        const out = createWriteStream(temporary, { flags: 'wx', mode: 0o600 });
        await pipeline(() => linesOf(tx, artifacts, head, counts), createGzip(), out);
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    );
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return counts;
}

async function* linesOf(tx: Transaction, artifacts: Artifacts, head: ArchiveHead, counts: BackupCounts) {
  const line = (content: ArchiveHead | ArchiveLine) => `${JSON.stringify(content)}\n`;
  yield line(head);
  for (const table of TABLES) {
    for await (const row of rowsOf(tx, table)) {
      counts.rows += 1;
      // Text already: the database's own JSON, with every digit that it has.
      yield `{"table":"${table}","row":${row}}\n`;
    }
  }
  for await (const { key } of artifacts.list()) {
    const hash = createHash('sha256');
    let rest = Buffer.alloc(0);
    for await (const chunk of await artifacts.get(key)) {
      hash.update(chunk as Buffer);
      rest = Buffer.concat([rest, chunk as Buffer]);
      for (; rest.length >= PIECE_BYTES; rest = rest.subarray(PIECE_BYTES)) {
        yield line({ artifact: key, piece: rest.subarray(0, PIECE_BYTES).toString('base64') });
      }
    }
    if (rest.length > 0) yield line({ artifact: key, piece: rest.toString('base64') });
    yield line({ artifact: key, sha256: hash.digest('hex') });
    counts.artifacts += 1;
  }
  yield line({ end: { ...counts } });
}

/** By a cursor: memory stays flat however long the table is. */
async function* rowsOf(tx: Transaction, table: string): AsyncIterable<string> {
  await tx.execute(
    sql`declare exported no scroll cursor for select row_to_json(t)::text as row from ${sql.identifier(table)} t`,
  );
  for (;;) {
    const { rows } = await tx.execute<{ row: string }>(sql.raw(`fetch ${ROWS_AT_ONCE} from exported`));
    for (const { row } of rows) yield row;
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await tx.execute(sql`close exported`);
}
