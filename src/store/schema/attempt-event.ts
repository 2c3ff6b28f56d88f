/**
 * Events of attempts that are under way, so that they survive their process and can be watched. They go when the attempt ends: its journal
 * then holds them. Questions have none here: a journal of five events is written whole when the answer is there.
 */
import { foreignKey, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { attempt } from './attempt.ts';
import { text } from './columns.ts';

export const attemptEvent = pgTable(
  'attempt_event',
  {
    runId: uuid('run_id').notNull(),
    caseId: text('case_id').notNull(),
    trial: integer('trial').notNull(),
    attempt: integer('attempt').notNull(),
    seq: integer('seq').notNull(),
    /** A line of the journal. */
    line: text('line').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.caseId, table.trial, table.attempt, table.seq] }),
    foreignKey({
      name: 'attempt_event_attempt',
      columns: [table.runId, table.caseId, table.trial, table.attempt],
      foreignColumns: [attempt.runId, attempt.caseId, attempt.trial, attempt.attempt],
    }).onDelete('cascade'),
  ],
);
