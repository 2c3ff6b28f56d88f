/**
 * Many rows by few statements: as one JSON text that the database takes apart. A list of values has a parameter for each field, of
 * which a statement takes 65,535, and both sides spend most of their time on those.
 * Values are as drizzle takes them, but for SQL; null in a column of JSON is the database's null, not JSON's.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from './database.ts';

const ROWS_AT_ONCE = 2_000;

/** @returns how many were written: with `skipKnown`, those that no unique constraint held back. */
export async function insertRows<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  rows: readonly Table['$inferInsert'][],
  { skipKnown = false } = {},
): Promise<number> {
  const given = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => given.has(key));
  const list = (part: (name: string, type: string) => string): SQL =>
    sql.raw(columns.map(([, column]) => part(column.name, column.getSQLType())).join(', '));
  const names = list((name) => `"${name}"`);
  const types = list((name, type) => `"${name}" ${type}`);
  let written = 0;
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const json = rows.slice(from, from + ROWS_AT_ONCE).map((row) => {
      const values = row as Record<string, unknown>;
      return Object.fromEntries(columns.map(([key, { name }]) => [name, values[key]]));
    });
    const result = await tx.execute<{ rows: number }>(sql`
      with written as (
        insert into ${sql.identifier(getTableName(table))} (${names})
        select ${names} from json_to_recordset(${JSON.stringify(json)}::json) as given(${types})
        ${skipKnown ? sql`on conflict do nothing` : sql``} returning 1
      ) select count(*)::int as rows from written`);
    written += result.rows[0]?.rows ?? 0;
  }
  return written;
}
