/**
 * Grades. Only ever added to: a trigger of the database refuses UPDATE, DELETE and TRUNCATE. They go when their whole run goes. The latest
 * round counts.
 */
import { sql } from 'drizzle-orm';
import { bigint, check, doublePrecision, foreignKey, integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core';
import type { Grade } from '../../events/index.ts';
import { cell } from './cell.ts';
import { createdAt, jsonb, oneOf, text } from './columns.ts';

type GradeCost = NonNullable<Grade['cost']>;

export const VERDICTS = ['pass', 'fail', 'error', 'skipped'] as const;

export const grade = pgTable(
  'grade',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    runId: uuid('run_id').notNull(),
    caseId: text('case_id').notNull(),
    round: integer('round').notNull(),
    grader: text('grader').notNull(),
    score: doublePrecision('score'),
    verdict: text('verdict', { enum: VERDICTS }).notNull(),
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
    judge: jsonb('judge').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
    trial: integer('trial').notNull().default(1),
    /**
     * The attempt that was graded; 0 where the cell had none. Version 0.1.0 did not say which: its grades have 0, and belong to the migrated
     * attempt.
     */
    attempt: integer('attempt').notNull().default(0),
    artifacts: jsonb('artifacts').$type<string[]>(),
    /** Null in rows of question checkers and judges: their details have it as `reason`, as the API shows it. */
    reasoning: text('reasoning'),
    /** Of the grader; null in grades that were given before graders had versions. */
    version: text('version'),
    /** The model that was asked. */
    model: text('model'),
    /** What its replies took: calls, tokens and US dollars, as far as they are known. */
    cost: jsonb('cost').$type<GradeCost>(),
  },
  (table) => [
    foreignKey({
      name: 'grade_cell',
      columns: [table.runId, table.caseId, table.trial],
      foreignColumns: [cell.runId, cell.caseId, cell.trial],
    }).onDelete('cascade'),
    // An attempt is graded once a round by each grader, whichever worker comes first; a killed worker's successor can't do it twice.
    unique('grade_once_a_round').on(table.runId, table.caseId, table.trial, table.attempt, table.grader, table.round),
    check('grade_round_positive', sql`${table.round} >= 1`),
    check('grade_attempt_positive', sql`${table.attempt} >= 0`),
    check('grade_verdict', oneOf(table.verdict, VERDICTS)),
    check('grade_score_range', sql`${table.score} between 0 and 1`),
    check('grade_score_rules', sql`(${table.score} is not null) = (${table.verdict} in ('pass', 'fail'))`),
  ],
);
