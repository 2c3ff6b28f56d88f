/** Signed packs that were given out. The token is not kept, only what it was signed for. */
import { sql } from 'drizzle-orm';
import { check, foreignKey, index, integer, pgTable, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, jsonb, sha256Hex, text } from './columns.ts';
import { dataset } from './dataset.ts';
import { provider } from './provider.ts';

export const pack = pgTable(
  'pack',
  {
    id: id(),
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => dataset.id, { onDelete: 'cascade' }),
    versionHash: text('version_hash').notNull(),
    itemIds: jsonb('item_ids').$type<string[]>().notNull(),
    itemIdsHash: text('item_ids_hash').notNull(),
    itemCount: integer('item_count').notNull(),
    target: jsonb('target').$type<Record<string, unknown>>().notNull(),
    judge: jsonb('judge').$type<Record<string, unknown>>(),
    judgeProviderId: uuid('judge_provider_id'),
    judgeSurface: text('judge_surface').notNull().default('api'),
    /** The token's own id, and the key that signed it. */
    jti: text('jti').notNull().unique('pack_jti'),
    kid: text('kid').notNull(),
    expiresAt: at('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    foreignKey({
      name: 'pack_judge_is_api',
      columns: [table.judgeProviderId, table.judgeSurface],
      foreignColumns: [provider.id, provider.surface],
    }),
    check('pack_judge_surface', sql`${table.judgeSurface} = 'api'`),
    check('pack_version_hash_form', sha256Hex(table.versionHash)),
    check('pack_item_ids_hash_form', sha256Hex(table.itemIdsHash)),
    check('pack_not_empty', sql`${table.itemCount} > 0`),
    index('pack_dataset').on(table.datasetId),
  ],
);
