/**
 * Providers: models behind an API, and chat pages that were captured in a browser.
 * The surface rules are constraints, so that no path of code can make a browser provider with a key, or launch a run on one.
 */
import { sql } from 'drizzle-orm';
import { check, pgTable, unique } from 'drizzle-orm/pg-core';
import { createdAt, id, jsonb, oneOf, text, updatedAt } from './columns.ts';

export const SURFACES = ['api', 'browser'] as const;
export const PROVIDER_KINDS = ['openai', 'anthropic', 'google', 'openai-compatible', 'ollama'] as const;

export const provider = pgTable(
  'provider',
  {
    id: id(),
    surface: text('surface', { enum: SURFACES }).notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: PROVIDER_KINDS }),
    baseUrl: text('base_url'),
    /** The name of an environment variable; never a key. */
    keyEnv: text('key_env'),
    settings: jsonb('settings').$type<Record<string, unknown>>().notNull().default({}),
    targetPreset: text('target_preset'),
    targetOrigin: text('target_origin'),
    targetName: text('target_name'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // What other tables refer to when only one surface is allowed there.
    unique('provider_id_surface').on(table.id, table.surface),
    // Nulls are distinct, so that this binds browser providers only.
    unique('provider_target').on(table.targetPreset, table.targetOrigin),
    check('provider_name_length', sql`char_length(${table.name}) between 1 and 200`),
    check('provider_surface', oneOf(table.surface, SURFACES)),
    check('provider_kind', oneOf(table.kind, PROVIDER_KINDS)),
    check(
      'provider_key_env_form',
      sql`${table.keyEnv} ~ '^[A-Za-z_][A-Za-z0-9_]*$' and char_length(${table.keyEnv}) <= 100`,
    ),
    check(
      'provider_surface_rules',
      sql`case ${table.surface}
        when 'api' then ${table.kind} is not null and ${table.targetPreset} is null and ${table.targetOrigin} is null and ${table.targetName} is null
        else ${table.kind} is null and ${table.baseUrl} is null and ${table.keyEnv} is null
          and ${table.targetPreset} is not null and ${table.targetOrigin} is not null and ${table.targetName} is not null
      end`,
    ),
  ],
);
