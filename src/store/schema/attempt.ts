/**
 * Attempts at a cell. A row holds the journal, or where it is kept, and the fold of it that lists show. A retry or a resume adds a row;
 * earlier ones stay as they are. Lists never select the journal.
 */
import { sql } from 'drizzle-orm';
import { boolean, check, doublePrecision, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { ATTEMPT_RESULTS } from './attempt-results.ts';
import { at, oneOf, text } from './columns.ts';

export const attempt = pgTable(
  'attempt',
  {
    runId: uuid('run_id').notNull(),
    caseId: text('case_id').notNull(),
    trial: integer('trial').notNull().default(1),
    /** From 1. */
    attempt: integer('attempt').notNull(),
    /** Null while the attempt is under way, and for ever where it was cut off or the run was stopped. */
    result: text('result', { enum: ATTEMPT_RESULTS }),
    /** Why it could not be begun: such an attempt has no journal. */
    notBegun: text('not_begun'),
    answer: text('answer'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    modelLabel: text('model_label'),
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    latencyMs: integer('latency_ms'),
    /** Sums of its `usage` events; null where no call said what it used. */
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    costUsd: doublePrecision('cost_usd'),
    /** Version 0.1.0 kept no journals: this one was made from the row of an item. */
    migrated: boolean('migrated').notNull().default(false),
    /** Lines of JSON, as text: jsonb would reorder the keys and refuse NUL. */
    journal: text('journal'),
    /** The artifact that holds a journal which is too long for a row. */
    journalKey: text('journal_key'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.caseId, table.trial, table.attempt] }),
    // Its run is checked by the trigger attempt_run (migration 0006), once for each statement.
    check('attempt_number_positive', sql`${table.attempt} >= 1`),
    check('attempt_result', oneOf(table.result, ATTEMPT_RESULTS)),
    check('attempt_latency_positive', sql`${table.latencyMs} >= 0`),
    // An error may keep the part of the answer that was there; an answer has no error.
    check(
      'attempt_result_rules',
      sql`case ${table.result}
        when 'answered' then ${table.answer} is not null and ${table.errorCode} is null
        when 'error' then ${table.errorCode} is not null
        else true
      end`,
    ),
    check(
      'attempt_journal_rules',
      sql`num_nonnulls(${table.journal}, ${table.journalKey}) between case when ${table.result} is null then 0 else 1 end and 1`,
    ),
  ],
);
