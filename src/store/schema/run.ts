/** Runs: the cases of a suite, executed against one variant. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { RunPlan } from '../../events/index.ts';
import { at, createdAt, id, oneOf, sha256Hex, updatedAt } from './columns.ts';
import { dataset } from './dataset.ts';
import { provider, SURFACES } from './provider.ts';
import { schedule } from './schedule.ts';

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const GRADING_STATUSES = ['none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked'] as const;
export const TRIGGERS = ['manual', 'schedule', 'browser_harness'] as const;

export const run = pgTable(
  'run',
  {
    id: id(),
    /** Null where the suite is no stored dataset: tasks, say. */
    datasetId: uuid('dataset_id').references(() => dataset.id),
    /** Of all cases of the suite, whether it is a stored dataset or not. */
    datasetVersionHash: text('dataset_version_hash').notNull(),
    /** Null where the variant is no stored provider: an agent, say. */
    providerId: uuid('provider_id'),
    providerSurface: text('provider_surface', { enum: SURFACES }),
    /** What was to be run, frozen when the run was made. Its cells are rows of their own. */
    plan: jsonb('plan').$type<Omit<RunPlan, 'runId' | 'cells'>>(),
    model: text('model'),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    /** The attempt that asking is at; 0 for an import. What a worker of an older attempt brings is not taken. */
    launchAttempt: integer('launch_attempt').notNull().default(0),
    gradingStatus: text('grading_status', { enum: GRADING_STATUSES }).notNull().default('none'),
    /** Why grading is blocked, partial or failed. */
    gradingReason: text('grading_reason'),
    /** The round that grading is at; 0 before the first. */
    gradingRound: integer('grading_round').notNull().default(0),
    triggeredBy: text('triggered_by', { enum: TRIGGERS }).notNull(),
    scheduleId: uuid('schedule_id').references(() => schedule.id, { onDelete: 'set null' }),
    config: jsonb('config').$type<Record<string, unknown>>().notNull().default({}),
    judgeProviderId: uuid('judge_provider_id'),
    judgeSurface: text('judge_surface').notNull().default('api'),
    label: text('label').notNull().default(''),
    /** Words that people file it under. Null: none; rows of older archives have no such column. */
    tags: text('tags').array(),
    modelLabels: text('model_labels').array().notNull().default([]),
    itemCount: integer('item_count').notNull(),
    /** Sums for lists, kept by what writes attempts and grades. */
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
    /** Sums over all attempts, those that do not count included: they were paid for too. Null where no call said what it used. */
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    costUsd: doublePrecision('cost_usd'),
    /** Of the capture or of the launch; `importedAt` is ours. */
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    importedAt: at('imported_at'),
    /** The last number given to a line of its log: see append-run-log.ts. */
    logSeq: integer('log_seq').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    foreignKey({
      name: 'run_provider',
      columns: [table.providerId, table.providerSurface],
      foreignColumns: [provider.id, provider.surface],
    }),
    foreignKey({
      name: 'run_judge_is_api',
      columns: [table.judgeProviderId, table.judgeSurface],
      foreignColumns: [provider.id, provider.surface],
    }),
    check('run_judge_surface', sql`${table.judgeSurface} = 'api'`),
    check('run_status', oneOf(table.status, RUN_STATUSES)),
    check('run_grading_status', oneOf(table.gradingStatus, GRADING_STATUSES)),
    check('run_grading_round_positive', sql`${table.gradingRound} >= 0`),
    check('run_launch_attempt_positive', sql`${table.launchAttempt} >= 0`),
    check('run_triggered_by', oneOf(table.triggeredBy, TRIGGERS)),
    // Only an import makes a run on a browser provider, and an import makes no other.
    check(
      'run_surface_rules',
      sql`(${table.providerSurface} is not distinct from 'browser') = (${table.triggeredBy} = 'browser_harness') and (${table.providerSurface} is not distinct from 'browser') = (${table.importedAt} is not null)`,
    ),
    check('run_provider_rules', sql`(${table.providerId} is null) = (${table.providerSurface} is null)`),
    check('run_version_hash_form', sql`${table.datasetId} is null or ${sha256Hex(table.datasetVersionHash)}`),
    check('run_item_count_positive', sql`${table.itemCount} >= 0`),
    index('run_newest').on(table.createdAt.desc(), table.id),
    index('run_dataset').on(table.datasetId, table.createdAt.desc()),
    index('run_provider_newest').on(table.providerId, table.createdAt.desc()),
    index('run_schedule').on(table.scheduleId, table.createdAt.desc()),
    index('run_under_way').on(table.status).where(sql`status in ('queued', 'running')`),
    // For lists by status: without them, a status that few runs have is looked for in all runs.
    index('run_status_newest').on(table.status, table.createdAt.desc()),
    index('run_grading_newest').on(table.gradingStatus, table.createdAt.desc()),
    index('run_surface_newest').on(table.providerSurface, table.createdAt.desc()),
    index('run_tags').using('gin', table.tags),
  ],
);
