/** Keys that callers gave to their requests, so that a repeated request is answered like the first and does nothing twice. */
import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { createdAt, jsonb, oneOf, sha256Hex, text } from './columns.ts';
import { run } from './run.ts';

export const KEYED_OPERATIONS = ['import', 'launch'] as const;

export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    operation: text('operation', { enum: KEYED_OPERATIONS }).notNull(),
    key: text('key').notNull(),
    /** Of the request: the same key with another request is refused. */
    requestHash: text('request_hash').notNull(),
    /** The run that the request made or found. When it is deleted, the key is free again. */
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    /** Of a launch: the whole answer. Of an import: `import_id`. */
    answer: jsonb('answer').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.operation, table.key] }),
    check('idempotency_key_operation', oneOf(table.operation, KEYED_OPERATIONS)),
    check('idempotency_key_length', sql`char_length(${table.key}) between 1 and 200`),
    check('idempotency_key_request_hash_form', sha256Hex(table.requestHash)),
  ],
);
