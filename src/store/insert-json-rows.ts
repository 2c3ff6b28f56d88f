/** Rows as the database itself writes them as JSON: no value passes through a type of JavaScript. A column that is not there is null. */
import { sql } from 'drizzle-orm';
import type { Transaction } from './database.ts';

export async function insertJsonRows(
  tx: Transaction,
  table: string,
  rows: readonly unknown[],
  { skipKnown = false } = {},
): Promise<void> {
  if (rows.length === 0) return;
  const name = sql.identifier(table);
  await tx.execute(sql`
    insert into ${name} overriding system value
    select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)
    ${skipKnown ? sql`on conflict do nothing` : sql``}`);
}
