/**
 * What happened to runs, over all of them: created, or another status. Written by triggers (migrations/0003) when the transaction
 * commits, one at a time, so that numbers become visible in their order. Not part of a backup: restoring runs makes them anew.
 */
import { bigint, check, index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { at, oneOf, text } from './columns.ts';
import { run } from './run.ts';

const RUN_EVENTS = ['run_created', 'run_changed'] as const;

export const runEvent = pgTable(
  'run_event',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    event: text('event', { enum: RUN_EVENTS }).notNull(),
    status: text('status').notNull(),
    gradingStatus: text('grading_status').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [check('run_event_event', oneOf(table.event, RUN_EVENTS)), index('run_event_run').on(table.runId)],
);
