/** Runs and their items: what was asked and what came back, whether from an API or from a capture. */
import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, oneOf, sha256Hex, updatedAt } from './columns.ts';
import { dataset } from './dataset.ts';
import { provider, SURFACES } from './provider.ts';
import { schedule } from './schedule.ts';

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const SCORING_STATUSES = ['none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked'] as const;
export const TRIGGERS = ['manual', 'schedule', 'browser_harness'] as const;
/** `pending`: a run that is still under way has not come to this item yet. */
export const RUN_ITEM_STATUSES = ['pending', 'answered', 'error', 'missing'] as const;

export const run = pgTable(
  'run',
  {
    id: id(),
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => dataset.id),
    datasetVersionHash: text('dataset_version_hash').notNull(),
    providerId: uuid('provider_id').notNull(),
    providerSurface: text('provider_surface', { enum: SURFACES }).notNull(),
    model: text('model'),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    /** The attempt that asking is at; 0 for an import. What a worker of an older attempt brings is not taken. */
    launchAttempt: integer('launch_attempt').notNull().default(0),
    scoringStatus: text('scoring_status', { enum: SCORING_STATUSES }).notNull().default('none'),
    /** Why scoring is blocked, partial or failed. */
    scoringReason: text('scoring_reason'),
    /** The attempt that scoring is at; 0 before the first. */
    scoringAttempt: integer('scoring_attempt').notNull().default(0),
    triggeredBy: text('triggered_by', { enum: TRIGGERS }).notNull(),
    scheduleId: uuid('schedule_id').references(() => schedule.id, { onDelete: 'set null' }),
    config: jsonb('config').$type<Record<string, unknown>>().notNull().default({}),
    judgeProviderId: uuid('judge_provider_id'),
    judgeSurface: text('judge_surface').notNull().default('api'),
    label: text('label').notNull().default(''),
    modelLabels: text('model_labels').array().notNull().default([]),
    itemCount: integer('item_count').notNull(),
    /** Sums for lists, kept by whoever writes items and scores. */
    counts: jsonb('counts').$type<Record<string, number>>().notNull().default({}),
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
    check('run_scoring_status', oneOf(table.scoringStatus, SCORING_STATUSES)),
    check('run_scoring_attempt_positive', sql`${table.scoringAttempt} >= 0`),
    check('run_launch_attempt_positive', sql`${table.launchAttempt} >= 0`),
    check('run_triggered_by', oneOf(table.triggeredBy, TRIGGERS)),
    // Only an import makes a run on a browser provider, and an import makes no other.
    check(
      'run_surface_rules',
      sql`(${table.providerSurface} = 'browser') = (${table.triggeredBy} = 'browser_harness') and (${table.providerSurface} = 'browser') = (${table.importedAt} is not null)`,
    ),
    check('run_version_hash_form', sha256Hex(table.datasetVersionHash)),
    check('run_item_count_positive', sql`${table.itemCount} >= 0`),
    index('run_newest').on(table.createdAt.desc(), table.id),
    index('run_dataset').on(table.datasetId, table.createdAt.desc()),
    index('run_provider_newest').on(table.providerId, table.createdAt.desc()),
    index('run_schedule').on(table.scheduleId, table.createdAt.desc()),
    index('run_under_way').on(table.status).where(sql`status in ('queued', 'running')`),
    // For lists by status: without them, a status that few runs have is looked for in all runs.
    index('run_status_newest').on(table.status, table.createdAt.desc()),
    index('run_scoring_newest').on(table.scoringStatus, table.createdAt.desc()),
    index('run_surface_newest').on(table.providerSurface, table.createdAt.desc()),
  ],
);

export const runItem = pgTable(
  'run_item',
  {
    runId: uuid('run_id')
      .notNull()
      .references(() => run.id, { onDelete: 'cascade' }),
    datasetItemId: text('dataset_item_id').notNull(),
    seq: integer('seq').notNull(),
    status: text('status', { enum: RUN_ITEM_STATUSES }).notNull(),
    promptText: text('prompt_text').notNull(),
    response: text('response'),
    errorCode: text('error_code'),
    errorMessage: text('error_message'),
    modelLabel: text('model_label'),
    startedAt: at('started_at'),
    finishedAt: at('finished_at'),
    latencyMs: integer('latency_ms'),
    /** The item as it was asked (type, section, answer, checker, …): a run can be judged again after its dataset has changed. */
    item: jsonb('item').$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.datasetItemId] }),
    unique('run_item_seq').on(table.runId, table.seq),
    check('run_item_status', oneOf(table.status, RUN_ITEM_STATUSES)),
    check('run_item_latency_positive', sql`${table.latencyMs} >= 0`),
    // An error may keep the part of the answer that was there; an answer has no error; nothing is nothing.
    check(
      'run_item_status_rules',
      sql`case ${table.status}
        when 'answered' then ${table.response} is not null and ${table.errorCode} is null
        when 'error' then ${table.errorCode} is not null
        else ${table.response} is null and ${table.errorCode} is null
      end`,
    ),
  ],
);
