/** Reads an archive into an empty store: all of it or nothing. Every constraint holds for its rows as for any. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { type ErrorCode, messageOf, WaymarkError } from '../../errors/index.ts';
import type { Artifacts } from '../artifacts/artifacts.ts';
import type { Transaction } from '../database.ts';
import { insertJsonRows } from '../insert-json-rows.ts';
import type { Store } from '../store.ts';
import { upgradeProviders } from '../upgrade/upgrade-providers.ts';
import { fillPlans } from '../upgrade/upgrade-rows.ts';
import {
  type ArchiveLine,
  type ArtifactLine,
  type BackupCounts,
  headSchema,
  isTable,
  lineSchema,
  type ReadRow,
  TABLES,
  type TableRow,
} from './archive.ts';
import { migrationsOf } from './migrations-of.ts';
import { rowsOf } from './read-import-row.ts';
import { OLD_MIGRATIONS, readOldRows } from './read-old-rows.ts';

const ROWS_AT_ONCE = 200;

export async function importData(store: Store, artifacts: Artifacts, file: string): Promise<BackupCounts> {
  return await store.db.transaction(async (tx) => {
    await refuseUnlessEmpty(tx);
    const lines = linesOf(file);
    const head = headSchema.safeParse((await lines.next()).value);
    if (!head.success) throw refused('archive_invalid', `${file} is no archive of waymark export-data.`);
    const written = writtenBy(head.data.migrations, await migrationsOf(tx));
    if (!written) {
      throw refused(
        'archive_version',
        `${file} was written by waymark ${head.data.version}, whose tables are not those of this version.`,
        'Import it with that version; then start this one on the same data, and it is brought up to date.',
      );
    }
    const put: string[] = [];
    try {
      const counts = await readAll({ tx, artifacts, lines, readRow: ROW_READERS[written]() }, put);
      if (written === 'version 0.1.0') await upgradeProviders(tx);
      await fillPlans(tx);
      // Numbers given from now on come after those that were read.
      await tx.execute(
        sql`select setval(pg_get_serial_sequence('grade', 'id'), greatest((select max(id) from grade), 1))`,
      );
      return counts;
    } catch (error) {
      // Rows go with the transaction; these have to be taken back.
      for (const key of put) await artifacts.delete(key);
      throw error;
    }
  });
}

type Lines = AsyncGenerator<unknown, undefined>;

const ROW_READERS = {
  'these tables': (): ReadRow => (table, row) => (isTable(table) ? rowsOf(table, row) : undefined),
  'version 0.1.0': readOldRows,
};

/**
 * Migrations after those of `OLD_MIGRATIONS` and the one that restructured the tables only added columns that may be null, and changed the table
 * of imports, which `rowsOf` knows: any other row without them is a row of these tables.
 * @returns undefined for tables that this version does not know.
 */
function writtenBy(migrations: readonly string[], ours: readonly string[]): keyof typeof ROW_READERS | undefined {
  if (migrations.length < OLD_MIGRATIONS || migrations.some((hash, index) => hash !== ours[index])) return undefined;
  return migrations.length === OLD_MIGRATIONS ? 'version 0.1.0' : 'these tables';
}

interface Reading {
  tx: Transaction;
  artifacts: Artifacts;
  lines: Lines;
  readRow: ReadRow;
}

async function readAll({ tx, artifacts, lines, readRow }: Reading, put: string[]): Promise<BackupCounts> {
  const counts: BackupCounts = { rows: 0, artifacts: 0 };
  let batch: TableRow[] = [];
  const flush = async () => {
    const byTable = Map.groupBy(batch, ({ table }) => table);
    for (const table of TABLES) {
      await insertJsonRows(tx, table, byTable.get(table)?.map(({ row }) => row) ?? []);
    }
    batch = [];
  };
  for (;;) {
    const line = await nextLine(lines);
    if ('table' in line) {
      const rows = readRow(line.table, line.row);
      if (!rows) throw damaged('a line is not as it should be');
      batch.push(...rows);
      counts.rows += 1;
      if (batch.length >= ROWS_AT_ONCE) await flush();
    } else if ('artifact' in line) {
      put.push(line.artifact);
      await putArtifact(artifacts, line, lines);
      counts.artifacts += 1;
    } else {
      await flush();
      if (line.end.rows !== counts.rows || line.end.artifacts !== counts.artifacts)
        throw damaged('parts of it are missing');
      if (!(await lines.next()).done) throw damaged('something follows its end');
      return counts;
    }
  }
}

/** From its first line to the one with its hash; never the whole of it in memory. */
async function putArtifact(artifacts: Artifacts, first: ArtifactLine, lines: Lines): Promise<void> {
  let wanted: string | undefined;
  async function* pieces() {
    for (let line: ArchiveLine = first; ; line = await nextLine(lines)) {
      if (!('artifact' in line) || line.artifact !== first.artifact) throw damaged(`${first.artifact} is cut off`);
      if ('sha256' in line) {
        wanted = line.sha256;
        return;
      }
      yield Buffer.from(line.piece, 'base64');
    }
  }
  const { sha256 } = await artifacts.put(first.artifact, pieces());
  if (sha256 !== wanted) throw damaged(`the artifact ${first.artifact} is not what it was`);
}

async function nextLine(lines: Lines): Promise<ArchiveLine> {
  const { value, done } = await lines.next();
  if (done) throw damaged('it has no end');
  const line = lineSchema.safeParse(value);
  if (!line.success) throw damaged('a line is not as it should be');
  return line.data;
}

async function* linesOf(file: string): Lines {
  const source = createReadStream(file);
  const plain = source.pipe(createGunzip());
  source.once('error', (error) => plain.destroy(error));
  try {
    for await (const line of createInterface({ input: plain, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw refused('archive_invalid', `${file} can't be read: ${messageOf(cause)}.`);
  } finally {
    source.destroy();
  }
  return undefined;
}

async function refuseUnlessEmpty(tx: Transaction): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await tx.execute(sql`select 1 from ${sql.identifier(table)} limit 1`);
    if (rows.length === 0) continue;
    throw refused('store_not_empty', 'There is data here already.', 'Import into a new folder or an empty database.');
  }
}

const damaged = (what: string) => refused('archive_invalid', `The archive is damaged: ${what}. Nothing was imported.`);

function refused(code: ErrorCode, message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code, message, ...(hint ? { hint } : {}) });
}
