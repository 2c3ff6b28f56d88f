/** Workers, as they report themselves: for people who look. What decides about claims are the leases of cells. */
import { boolean, integer, pgTable } from 'drizzle-orm/pg-core';
import { at, text } from './columns.ts';

export const worker = pgTable('worker', {
  id: text('id').primaryKey(),
  host: text('host').notNull(),
  version: text('version').notNull(),
  labels: text('labels').array().notNull().default([]),
  concurrency: integer('concurrency').notNull(),
  /** Attempts that it has claimed now. */
  running: integer('running').notNull().default(0),
  /** It takes nothing new, and ends when what it has is done. */
  draining: boolean('draining').notNull().default(false),
  startedAt: at('started_at').notNull().defaultNow(),
  seenAt: at('seen_at').notNull().defaultNow(),
});
