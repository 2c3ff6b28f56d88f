/** Runs that start by the clock: questions for a model behind an API, or tasks for an agent in browsers. */
import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, pgTable, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, jsonb, text, updatedAt } from './columns.ts';
import { dataset } from './dataset.ts';
import { provider } from './provider.ts';

export const schedule = pgTable(
  'schedule',
  {
    id: id(),
    name: text('name').notNull(),
    cron: text('cron').notNull(),
    timezone: text('timezone').notNull().default('UTC'),
    enabled: boolean('enabled').notNull().default(true),
    /** With the provider and the model: null where it is of tasks, which `config` names. */
    datasetId: uuid('dataset_id').references(() => dataset.id),
    providerId: uuid('provider_id'),
    providerSurface: text('provider_surface').notNull().default('api'),
    model: text('model'),
    config: jsonb('config').$type<Record<string, unknown>>().notNull().default({}),
    judgeProviderId: uuid('judge_provider_id'),
    judgeSurface: text('judge_surface').notNull().default('api'),
    /** When it is due; null while it is not enabled. The process that launches the run moves it on, in the same transaction. */
    nextRunAt: at('next_run_at'),
    lastFiredAt: at('last_fired_at'),
    /** Of tasks: the last run, which is in a folder. Runs in the database name their schedule themselves. */
    lastRunId: text('last_run_id'),
    /** Why the last time came to nothing. */
    lastProblem: text('last_problem'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    foreignKey({
      name: 'schedule_provider_is_api',
      columns: [table.providerId, table.providerSurface],
      foreignColumns: [provider.id, provider.surface],
    }),
    foreignKey({
      name: 'schedule_judge_is_api',
      columns: [table.judgeProviderId, table.judgeSurface],
      foreignColumns: [provider.id, provider.surface],
    }),
    check('schedule_judge_surface', sql`${table.judgeSurface} = 'api'`),
    check('schedule_provider_surface', sql`${table.providerSurface} = 'api'`),
    check(
      'schedule_kind',
      sql`(${table.datasetId} is null) = (${table.providerId} is null) and (${table.datasetId} is null) = (${table.model} is null)`,
    ),
    check('schedule_name_length', sql`char_length(${table.name}) between 1 and 200`),
    index('schedule_due').on(table.nextRunAt).where(sql`enabled`),
  ],
);
