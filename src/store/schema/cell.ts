/** Cells of a run: one per case and trial, stored when the run is made. The last finished attempt of a cell counts. */
import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, unique, uuid } from 'drizzle-orm/pg-core';
import { ATTEMPT_RESULTS } from './attempt-results.ts';
import { at, jsonb, oneOf, text } from './columns.ts';

export const CELL_STATES = ['pending', 'running', 'finished', 'missing'] as const;

export const cell = pgTable(
  'cell',
  {
    runId: uuid('run_id').notNull(),
    caseId: text('case_id').notNull(),
    trial: integer('trial').notNull().default(1),
    /** In the order of execution, from 1. */
    seq: integer('seq').notNull(),
    state: text('state', { enum: CELL_STATES }).notNull(),
    /** The number of the last attempt; 0 before the first. */
    attempts: integer('attempts').notNull().default(0),
    /** The attempt that counts, and how it ended: kept here so that lists and counts read one table. */
    counted: integer('counted'),
    result: text('result', { enum: ATTEMPT_RESULTS }),
    /** Raised whenever the right to write changes hands; an attempt of an older lease is refused. */
    lease: integer('lease').notNull().default(0),
    worker: text('worker'),
    leaseUntil: at('lease_until'),
    /** The case as it was when the run was made: a run can be graded again after its dataset has changed. */
    snapshot: jsonb('snapshot').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.caseId, table.trial] }),
    unique('cell_seq').on(table.runId, table.seq),
    // Its run is checked by the trigger cell_run (migration 0006), once for each statement.
    // For claims: what is left of a long run is found without passing over what is done.
    index('cell_open').on(table.runId, table.seq).where(sql`state in ('pending', 'running')`),
    check('cell_trial_positive', sql`${table.trial} >= 1`),
    check('cell_state', oneOf(table.state, CELL_STATES)),
    check('cell_result', oneOf(table.result, ATTEMPT_RESULTS)),
    check('cell_counted_rules', sql`(${table.counted} is null) = (${table.result} is null)`),
    check('cell_counted_exists', sql`${table.counted} between 1 and ${table.attempts}`),
    check(
      'cell_state_rules',
      sql`case ${table.state}
        when 'finished' then ${table.counted} is not null
        when 'running' then ${table.worker} is not null and ${table.leaseUntil} is not null
        else true
      end`,
    ),
  ],
);
