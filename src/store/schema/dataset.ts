/** Datasets, their items, and versions that were replaced. The version hash covers all items, answers included. */
import { sql } from 'drizzle-orm';
import { check, integer, pgTable, primaryKey, unique, uuid } from 'drizzle-orm/pg-core';
import { at, createdAt, id, jsonb, oneOf, sha256Hex, text, updatedAt } from './columns.ts';

const ITEM_TYPES = ['mcq_single', 'mcq_multi', 'freeform', 'numeric', 'regex', 'judge'] as const;

export const dataset = pgTable(
  'dataset',
  {
    id: id(),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    versionHash: text('version_hash').notNull(),
    itemCount: integer('item_count').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    check('dataset_name_length', sql`char_length(${table.name}) between 1 and 200`),
    check('dataset_version_hash_form', sha256Hex(table.versionHash)),
    check('dataset_item_count_positive', sql`${table.itemCount} >= 0`),
  ],
);

export const datasetItem = pgTable(
  'dataset_item',
  {
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => dataset.id, { onDelete: 'cascade' }),
    id: text('id').notNull(),
    seq: integer('seq').notNull(),
    type: text('type', { enum: ITEM_TYPES }).notNull(),
    section: text('section').notNull().default(''),
    promptText: text('prompt_text').notNull(),
    choices: jsonb('choices').$type<unknown>(),
    answer: jsonb('answer').$type<unknown>(),
    checker: jsonb('checker').$type<unknown>(),
    criteria: jsonb('criteria').$type<unknown>(),
    meta: jsonb('meta').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.datasetId, table.id] }),
    unique('dataset_item_seq').on(table.datasetId, table.seq),
    check('dataset_item_id_length', sql`char_length(${table.id}) between 1 and 200`),
    check('dataset_item_type', oneOf(table.type, ITEM_TYPES)),
  ],
);

/** The items of a version that was replaced, kept while a pack of it can still be imported. */
export const datasetVersion = pgTable(
  'dataset_version',
  {
    datasetId: uuid('dataset_id')
      .notNull()
      .references(() => dataset.id, { onDelete: 'cascade' }),
    versionHash: text('version_hash').notNull(),
    itemCount: integer('item_count').notNull(),
    /** Lines of JSON, as in an export. */
    items: text('items').notNull(),
    /** Since when it was the dataset's version. */
    currentFrom: at('current_from').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasetId, table.versionHash] }),
    check('dataset_version_kept_hash_form', sha256Hex(table.versionHash)),
  ],
);
