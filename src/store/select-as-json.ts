/**
 * The rows of a query as one value of JSON. Each field of each row that the embedded database sends costs it and the thread of the server more
 * than writing and reading the same as JSON: measured on lists of 50 runs.
 */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from './database.ts';

type Columns = Readonly<Record<string, PgColumn>>;

/** A row as drizzle gives it. */
export type JsonRow<Selected extends Columns> = {
  [Name in keyof Selected]: Selected[Name]['_']['data'] | (Selected[Name]['_']['notNull'] extends true ? never : null);
};

/** `query` selects exactly these columns, in this order, and its order of rows is kept. */
export async function selectAsJson<Selected extends Columns>(
  db: Queryable,
  columns: Selected,
  query: SQLWrapper,
): Promise<JsonRow<Selected>[]> {
  const entries = Object.entries(columns);
  // Numbered, because columns of two tables may have the same name.
  const names = sql.join(
    entries.map((_, index) => sql.identifier(`c${index}`)),
    sql.raw(', '),
  );
  const values: SQL<unknown[][] | null> = sql`json_agg(json_build_array(${names}))`;
  const [found] = await db.select({ values }).from(sql`(${query}) as selected(${names})`);
  return (found?.values ?? []).map((row) => {
    const decoded = entries.map(([name, column], index) => {
      const value = row[index] ?? null;
      return [name, value === null ? null : column.mapFromDriverValue(value)];
    });
    return Object.fromEntries(decoded) as JsonRow<Selected>;
  });
}
