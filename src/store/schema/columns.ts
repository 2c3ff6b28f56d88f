/** Columns and checks that several tables share. */
import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, timestamp, uuid } from 'drizzle-orm/pg-core';
import { storableJsonText, storableText } from '../../cases/index.ts';

export const id = () => uuid('id').primaryKey().defaultRandom();

/** Milliseconds: what JavaScript can hold, so that a value read back equals the one written. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
export const createdAt = () => at('created_at').notNull().defaultNow();
export const updatedAt = () => at('updated_at').notNull().defaultNow();

/** `column IN ('a', 'b')`, as literals: a constraint takes no parameters. */
export function oneOf(column: AnyPgColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

const textColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: storableText,
});
const jsonbColumn = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'jsonb',
  toDriver: storableJsonText,
});

/**
 * Used instead of drizzle's own columns: whatever is written to the database or compared with it passes here, and text from outside, which may
 * hold what PostgreSQL refuses, is made storable in this one place. SQL that is written by hand uses `sql.param(value, column)`.
 */
export function text<const Values extends readonly string[] = readonly string[]>(
  name: string,
  _values?: { readonly enum: Values },
) {
  return textColumn(name).$type<Values[number]>();
}

/** See `text`. Drizzle's own column would also read the stored text `"42"` as the number 42. */
export const jsonb = (name: string) => jsonbColumn(name);

export const sha256Hex = (column: AnyPgColumn): SQL => sql`${column} ~ '^[0-9a-f]{64}$'`;
