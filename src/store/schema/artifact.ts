/** What lies among the artifacts, and to whom it belongs. The bytes are in a folder or a bucket: see artifacts/. */
import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { createdAt, sha256Hex } from './columns.ts';
import { episode } from './episode.ts';
import { run } from './run.ts';

export const artifact = pgTable(
  'artifact',
  {
    key: text('key').primaryKey(),
    sha256: text('sha256').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    contentType: text('content_type').notNull().default('application/octet-stream'),
    runId: uuid('run_id').references(() => run.id, { onDelete: 'set null' }),
    episodeId: text('episode_id').references(() => episode.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
  },
  (table) => [
    check('artifact_hash_form', sha256Hex(table.sha256)),
    check('artifact_bytes_positive', sql`${table.bytes} >= 0`),
    index('artifact_run').on(table.runId),
    index('artifact_episode').on(table.episodeId),
  ],
);
