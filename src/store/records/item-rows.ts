/** Items to rows and back, so that what is read has the version hash of what was written. */
import { type SQL, sql } from 'drizzle-orm';
import type { Item } from '../../cases/index.ts';
import { itemSchema } from '../../cases/index.ts';
import type { Queryable } from '../database.ts';
import * as schema from '../schema/index.ts';

const { datasetItem } = schema;

export function itemRow(datasetId: string, item: Item, seq: number) {
  const { id, type, section, prompt_text, choices, answer, checker, criteria, meta } = item;
  return {
    datasetId,
    id,
    seq,
    type,
    section,
    promptText: prompt_text,
    choices: choices ?? null,
    // An answer may be JSON's null, which is not the same as none: it needs writing as such.
    answer: answer === null ? (sql`'null'::jsonb` as SQL<unknown>) : (answer ?? null),
    checker: checker ?? null,
    criteria: criteria ?? null,
    meta,
  };
}

export const itemColumns = {
  id: datasetItem.id,
  seq: datasetItem.seq,
  type: datasetItem.type,
  section: datasetItem.section,
  promptText: datasetItem.promptText,
  choices: datasetItem.choices,
  answer: datasetItem.answer,
  hasAnswer: sql<boolean>`${datasetItem.answer} is not null`,
  checker: datasetItem.checker,
  criteria: datasetItem.criteria,
  meta: datasetItem.meta,
};

/** A query of all items of a dataset, as one value: taking thousands of rows from the protocol costs more than the query. */
export function itemsAsJson(datasetId: string): SQL<ItemRow[] | null> {
  return sql`select json_agg(item) as items from (
      select id, type, section, prompt_text as "promptText", choices, answer, answer is not null as "hasAnswer", checker, criteria, meta
      from dataset_item where dataset_id = ${datasetId} order by seq
    ) item`;
}

export async function allItems(db: Queryable, datasetId: string): Promise<Item[]> {
  const { rows } = await db.execute<{ items: ItemRow[] | null }>(itemsAsJson(datasetId));
  return (rows[0]?.items ?? []).map(itemOf);
}

interface ItemRow {
  id: string;
  type: string;
  section: string;
  promptText: string;
  choices: unknown;
  answer: unknown;
  hasAnswer: boolean;
  checker: unknown;
  criteria: unknown;
  meta: unknown;
}

export function itemOf(row: ItemRow): Item {
  return itemSchema.parse({
    id: row.id,
    type: row.type,
    section: row.section,
    prompt_text: row.promptText,
    ...(row.choices === null ? {} : { choices: row.choices }),
    ...(row.hasAnswer ? { answer: row.answer } : {}),
    ...(row.checker === null ? {} : { checker: row.checker }),
    ...(row.criteria === null ? {} : { criteria: row.criteria }),
    meta: row.meta,
  });
}
