/** What happened to a run, line by line. The number of a line is its id as a server-sent event. */
import { check, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { at, jsonb, oneOf, text } from './columns.ts';
import { run } from './run.ts';

export const LOG_LEVELS = ['debug', 'info', 'warning', 'error'] as const;

export const runLog = pgTable(
  'run_log',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    seq: integer('seq').notNull(),
    at: at('at').notNull().defaultNow(),
    level: text('level', { enum: LOG_LEVELS }).notNull(),
    /** Stable and machine-readable: `run_imported`, `item_scored`, … */
    code: text('code').notNull(),
    message: text('message').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.seq] }),
    check('run_log_level', oneOf(table.level, LOG_LEVELS)),
  ],
);
