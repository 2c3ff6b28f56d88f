/** Columns and checks that several tables share. */
import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, timestamp, uuid } from 'drizzle-orm/pg-core';

export const id = () => uuid('id').primaryKey().defaultRandom();

/** Milliseconds: what JavaScript can hold, so that a value read back equals the one written. */
export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
export const createdAt = () => at('created_at').notNull().defaultNow();
export const updatedAt = () => at('updated_at').notNull().defaultNow();

/** `column IN ('a', 'b')`, as literals: a constraint takes no parameters. */
export function oneOf(column: AnyPgColumn, values: readonly string[]): SQL {
  return sql`${column} in (${sql.raw(values.map((value) => `'${value}'`).join(', '))})`;
}

export const sha256Hex = (column: AnyPgColumn): SQL => sql`${column} ~ '^[0-9a-f]{64}$'`;
