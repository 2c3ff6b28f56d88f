/** An index of episodes. Their journals are the truth; every row here can be made again from one. */
import { sql } from 'drizzle-orm';
import { check, doublePrecision, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { at, createdAt, sha256Hex } from './columns.ts';

export const episode = pgTable(
  'episode',
  {
    id: text('id').primaryKey(),
    /** The folder of runs that it belongs to, as its plan names it. */
    runName: text('run_name').notNull(),
    task: text('task').notNull(),
    variant: text('variant').notNull().default(''),
    agent: text('agent').notNull().default(''),
    /** Where the journal is: a key among the artifacts, or a path on the machine of the run. */
    journal: text('journal').notNull().unique('episode_journal'),
    journalSha256: text('journal_sha256').notNull(),
    outcome: text('outcome').notNull(),
    reward: doublePrecision('reward'),
    steps: integer('steps').notNull(),
    result: jsonb('result').$type<Record<string, unknown>>().notNull().default({}),
    startedAt: at('started_at').notNull(),
    finishedAt: at('finished_at'),
    indexedAt: createdAt(),
  },
  (table) => [
    check('episode_journal_hash_form', sha256Hex(table.journalSha256)),
    check('episode_steps_positive', sql`${table.steps} >= 0`),
    index('episode_run').on(table.runName, table.task),
    index('episode_newest').on(table.startedAt.desc(), table.id),
  ],
);
