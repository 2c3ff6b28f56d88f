/** Captures that became a run or a later part of one. The hash of the bytes makes a second import of the same file find the first. */
import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core';
import { createdAt, id, jsonb, sha256Hex, text } from './columns.ts';
import { pack } from './pack.ts';
import { run } from './run.ts';

export const captureImport = pgTable(
  'import',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    /** From 1: a partial capture may be followed by others of the same pack. */
    part: integer('part').notNull().default(1),
    packId: uuid('pack_id').references(() => pack.id, { onDelete: 'set null' }),
    payloadSha256: text('payload_sha256').notNull().unique('import_payload'),
    payloadBytes: integer('payload_bytes').notNull(),
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
    unique('import_run_part').on(table.runId, table.part),
    check('import_part_positive', sql`${table.part} >= 1`),
    index('import_pack').on(table.packId),
  ],
);
