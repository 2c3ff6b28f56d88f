/**
 * Many rows by few statements: by COPY into the embedded database, otherwise each column is one text that the database takes apart. A list of
 * values has a parameter for each field, of which a statement takes 65,535, and both sides spend most of their time on those; JSON escapes a
 * journal's own escapes again.
 * Values are as drizzle takes them, but for SQL; null in a column of JSON is the database's null, not JSON's.
 */
import { entityKind, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { copyData } from './copy-data.ts';
import type { Transaction } from './database.ts';
import { joinTexts } from './join-texts.ts';

const ROWS_AT_ONCE = 2_000;

/** @returns how many were written: with `skipKnown`, those that no unique constraint held back. */
export async function insertRows<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  { skipKnown = false } = {},
): Promise<number> {
  const given = new Set<string>();
  for (const row of rows) for (const key in row) given.add(key);
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => given.has(key));
  const into = sql`${sql.identifier(getTableName(table))} (${list(columns.map(([, { name }]) => sql.identifier(name)))})`;
  // COPY knows no conflicts that are skipped.
  const mayCopy = !skipKnown && isEmbedded(tx);
  let written = 0;
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const batch = rows.slice(from, from + ROWS_AT_ONCE);
    const copied = mayCopy
      ? copyData(
          columns.map(([key, column]) => ({ key, column })),
          batch,
        )
      : undefined;
    if (copied) {
      // Understood by PgliteClient.
      await tx.execute(sql`copy ${into} from ${copied} with (format binary)`);
      written += batch.length;
      continue;
    }
    const source = rowsOf(
      columns.map(([key, column]) => ({ column, values: batch.map((row) => Reflect.get(row, key)) })),
      batch.length,
    );
    if (skipKnown) {
      const { rows: added } = await tx.execute<{ rows: number }>(sql`
        with written as (insert into ${into} ${source} on conflict do nothing returning 1)
        select count(*)::int as rows from written`);
      written += added[0]?.rows ?? 0;
    } else {
      await tx.execute(sql`insert into ${into} ${source}`);
      written += batch.length;
    }
  }
  return written;
}

/** By drizzle's name of the class: to import it is to load the embedded database. */
const isEmbedded = (tx: Transaction): boolean => Reflect.get(tx.constructor, entityKind) === 'PgliteTransaction';

interface GivenColumn {
  readonly column: PgColumn;
  readonly values: readonly unknown[];
}

/** A query of the rows. A value that all rows share travels once. */
function rowsOf(columns: readonly GivenColumn[], count: number): SQL {
  const selected: SQL[] = [];
  const names = [sql.identifier('row')];
  const sources = [sql`generate_series(1, ${count}::int)`];
  for (const { column, values } of columns) {
    const type = sql.raw(column.getSQLType());
    const [first] = values;
    if (values.every((value) => value === first)) {
      selected.push(sql`${textOf(column, first)}::text::${type}`);
      continue;
    }
    const { text, separator, none } = joinTexts(values.map((value) => textOf(column, value)));
    const name = sql.identifier(column.name);
    names.push(name);
    // As bytes: an embedded database counts those of a string one by one.
    sources.push(sql`string_to_table(${Buffer.from(text)}::text, ${separator}::text, ${none}::text)`);
    selected.push(sql`given.${name}::${type}`);
  }
  return sql`select ${list(selected)} from rows from (${list(sources)}) as given(${list(names)})`;
}

function textOf(column: PgColumn, value: unknown): string | null {
  return value === null || value === undefined ? null : toText(column.mapToDriverValue(value));
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : String(value));

const list = (parts: readonly Parameters<typeof sql.join>[0][number][]): SQL => sql.join([...parts], sql.raw(', '));
