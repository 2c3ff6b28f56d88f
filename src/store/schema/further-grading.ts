/** Requests to grade a run by further graders. What they give are rows of `grade`; a row here is the request and what became of it. */
import { sql } from 'drizzle-orm';
import { check, index, pgTable, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, jsonb, oneOf, text } from './columns.ts';
import { run } from './run.ts';

export const FURTHER_STATUSES = ['queued', 'running', 'done', 'failed'] as const;

export const furtherGrading = pgTable(
  'further_grading',
  {
    id: id(),
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    /** As it was asked for: the graders, the judge, the caps. Narrow it by its schema. */
    request: jsonb('request').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: FURTHER_STATUSES }).notNull().default('queued'),
    /** Why it failed. */
    reason: text('reason'),
    /** When its first worker began, by that worker's clock: grades of these graders from then on are its own. */
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    createdAt: createdAt(),
  },
  (table) => [
    check('further_grading_status', oneOf(table.status, FURTHER_STATUSES)),
    index('further_grading_run').on(table.runId, table.createdAt),
    // Two at once would ask a judge twice about the same.
    uniqueIndex('further_grading_open').on(table.runId).where(sql`status in ('queued', 'running')`),
  ],
);
