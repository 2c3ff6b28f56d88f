/** Runs whose attempts workers claim: what a worker must be and have for that. The cells themselves are the queue. */
import { pgTable, uuid } from 'drizzle-orm/pg-core';
import { at, text } from './columns.ts';
import { run } from './run.ts';

export const runWork = pgTable('run_work', {
  runId: uuid('run_id')
    .primaryKey()
    .references(() => run.id, { onDelete: 'cascade' }),
  /** Of Waymark: only workers of this version execute it. */
  version: text('version').notNull(),
  /** The artifact that holds the suite and the choices of the run. */
  packageKey: text('package_key').notNull(),
  /** Environment variables that every attempt needs: keys of models. Names only; each worker has its own values. */
  needs: text('needs').array().notNull().default([]),
  /** Those that only some cases need, which name theirs in their snapshot: the secrets of tasks. */
  secrets: text('secrets').array().notNull().default([]),
  /** A worker must have all of these. */
  labels: text('labels').array().notNull().default([]),
  /** The worker that grades the run and ends it, and until when it has the right to. */
  ender: text('ender'),
  enderUntil: at('ender_until'),
});
