/** Captures that became a run. The bytes' hash and the caller's key make a second import of the same thing find the first. */
import { sql } from 'drizzle-orm';
import { boolean, check, integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, jsonb, sha256Hex, text } from './columns.ts';
import { pack } from './pack.ts';
import { run } from './run.ts';

export const captureImport = pgTable(
  'import',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .unique('import_run')
      .references(() => run.id, { onDelete: 'cascade' }),
    packId: uuid('pack_id').references(() => pack.id, { onDelete: 'set null' }),
    payloadSha256: text('payload_sha256').notNull().unique('import_payload'),
    payloadBytes: integer('payload_bytes').notNull(),
    idempotencyKey: text('idempotency_key').unique('import_idempotency_key'),
    providerReused: boolean('provider_reused').notNull(),
    datasetReused: boolean('dataset_reused').notNull(),
    gradingQueued: boolean('grading_queued').notNull(),
    counts: jsonb('counts').$type<Record<string, number>>().notNull(),
    warnings: jsonb('warnings').$type<unknown[]>().notNull().default([]),
    /** Manifest and browser metadata, without the token. */
    meta: jsonb('meta').$type<Record<string, unknown>>().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    check('import_payload_hash_form', sha256Hex(table.payloadSha256)),
    check('import_key_length', sql`char_length(${table.idempotencyKey}) between 1 and 200`),
  ],
);
