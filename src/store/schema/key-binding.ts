/** The origin that the key in an environment variable is sent to. It outlives the provider that was the first to name the variable: another one can't send the key elsewhere. */
import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

export const keyBinding = pgTable('key_binding', {
  keyEnv: text('key_env').primaryKey(),
  /** Scheme, host and port. */
  origin: text('origin').notNull(),
  createdAt: createdAt(),
});
