/**
 * Scores. Only ever added to: a trigger of the database (migrations/0001) refuses UPDATE, DELETE and TRUNCATE. They go when
 * their whole run goes. The latest attempt counts.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  doublePrecision,
  foreignKey,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { createdAt, oneOf } from './columns.ts';
import { runItem } from './run.ts';

export const VERDICTS = ['pass', 'fail', 'error', 'skipped'] as const;

export const score = pgTable(
  'score',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    runId: uuid('run_id').notNull(),
    datasetItemId: text('dataset_item_id').notNull(),
    attempt: integer('attempt').notNull(),
    method: text('method').notNull(),
    value: doublePrecision('value'),
    verdict: text('verdict', { enum: VERDICTS }).notNull(),
    detail: jsonb('detail').$type<Record<string, unknown>>().notNull().default({}),
    judge: jsonb('judge').$type<Record<string, unknown>>(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      name: 'score_run_item',
      columns: [table.runId, table.datasetItemId],
      foreignColumns: [runItem.runId, runItem.datasetItemId],
    }).onDelete('cascade'),
    // An item is scored once an attempt, whichever worker comes first; a killed worker's successor can't do it twice.
    unique('score_once_an_attempt').on(table.runId, table.datasetItemId, table.attempt),
    check('score_attempt_positive', sql`${table.attempt} >= 1`),
    check('score_verdict', oneOf(table.verdict, VERDICTS)),
    check('score_value_range', sql`${table.value} between 0 and 1`),
    check('score_value_rules', sql`(${table.value} is not null) = (${table.verdict} in ('pass', 'fail'))`),
  ],
);
