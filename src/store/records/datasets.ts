/** Datasets in the store: written whole or not at all, versions by hash. */
import { and, asc, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { Dataset, Item } from '../../cases/index.ts';
import { type DatasetReport, parseJsonl, toJsonl } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { Queryable, Transaction } from '../database.ts';
import * as schema from '../schema/index.ts';
import type { Store } from '../store.ts';
import { keepVersion } from './dataset-versions.ts';
import { isUuid } from './ids.ts';
import { inChunks } from './in-chunks.ts';
import { itemColumns, itemOf, itemRow, itemsAsJson } from './item-rows.ts';

const { dataset, datasetItem, pack, run, schedule } = schema;

export interface DatasetInfo {
  id: string;
  name: string;
  description: string;
  version_hash: string;
  item_count: number;
  created_at: string;
  updated_at: string;
}

export interface NewDataset {
  name: string;
  description?: string | undefined;
  report: DatasetReport;
}

/** Values from outside by the same strict reading as a file. */
export function reportOf(items: readonly unknown[]): DatasetReport {
  return parseJsonl(toJsonl(items as readonly Item[]));
}

/** @throws WaymarkError dataset_invalid, with an issue for each line that can't be used. */
function assertUsable(report: DatasetReport): void {
  if (report.problems.length === 0 && report.accepted > 0) return;
  const issues = report.problems.map(({ line, code, message, item_id }) => ({
    path: `line ${line}`,
    code,
    message,
    ...(item_id === undefined ? {} : { item_id }),
  }));
  const what =
    issues.length === 0 ? 'The dataset has no items.' : `${issues.length} of ${report.lines} lines can't be used.`;
  throw new WaymarkError({
    code: 'dataset_invalid',
    message: what,
    issues,
    hint: 'Nothing was stored. Correct these lines and try again.',
  });
}

export async function createDataset(store: Store, { name, description = '', report }: NewDataset) {
  assertUsable(report);
  return await store.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(dataset)
      .values({ name, description, versionHash: report.version_hash, itemCount: report.accepted })
      .returning();
    if (!made) throw new Error('the dataset was not written');
    await writeItems(tx, made.id, report.items);
    return infoOf(made);
  });
}

/** Another version under the same id. Runs keep the items that they were made of, and packs that can still be imported find theirs. */
export async function replaceItems(store: Store, id: string, report: DatasetReport, now: Date): Promise<DatasetInfo> {
  assertUsable(report);
  return await store.db.transaction(async (tx) => {
    const before = await lockDataset(tx, id);
    if (before.versionHash !== report.version_hash) await keepVersion(tx, before, report.version_hash, now);
    const [changed] = await tx
      .update(dataset)
      .set({ versionHash: report.version_hash, itemCount: report.accepted, updatedAt: sql`now()` })
      .where(eq(dataset.id, id))
      .returning();
    if (!changed) throw datasetNotFound(id);
    await tx.delete(datasetItem).where(eq(datasetItem.datasetId, id));
    await writeItems(tx, id, report.items);
    return infoOf(changed);
  });
}

async function writeItems(tx: Transaction, datasetId: string, items: readonly Item[]): Promise<void> {
  const rows = items.map((item, index) => itemRow(datasetId, item, index + 1));
  for (const chunk of inChunks(rows)) await tx.insert(datasetItem).values(chunk);
}

export async function getDataset(db: Queryable, id: string): Promise<DatasetInfo> {
  const [row] = isUuid(id) ? await db.select().from(dataset).where(eq(dataset.id, id)) : [];
  if (!row) throw datasetNotFound(id);
  return infoOf(row);
}

/**
 * With all items. By one statement, so that they are those of its version even if it is replaced meanwhile; `lock` keeps others from changing it
 * until the transaction ends.
 */
export async function loadDataset(db: Queryable, id: string, lock = false): Promise<Dataset> {
  const own = isUuid(id) ? id : NO_ID;
  // First: who waits for a lock sees the row as it is then, and its items as they were before.
  if (lock) await lockVersion(db, own);
  const items = sql<Parameters<typeof itemOf>[0][] | null>`(${itemsAsJson(own)})`;
  const [row] = await db
    .select({ id: dataset.id, name: dataset.name, version_hash: dataset.versionHash, items })
    .from(dataset)
    .where(eq(dataset.id, own));
  if (!row) throw datasetNotFound(id);
  return { ...row, items: (row.items ?? []).map(itemOf) };
}

/** Its version, which can't change until the transaction ends. */
export async function lockVersion(tx: Queryable, id: string): Promise<string | undefined> {
  const [row] = await tx.select({ version: dataset.versionHash }).from(dataset).where(eq(dataset.id, id)).for('share');
  return row?.version;
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Newest first; `before` is the id that the last page ended with. */
export async function listDatasets(db: Queryable, page: { limit: number; before?: string | undefined }) {
  const from = page.before === undefined ? undefined : await getDataset(db, page.before);
  const older = from && new Date(from.created_at);
  const rows = await db
    .select()
    .from(dataset)
    .where(
      from && older
        ? or(lt(dataset.createdAt, older), and(eq(dataset.createdAt, older), lt(dataset.id, from.id)))
        : undefined,
    )
    .orderBy(desc(dataset.createdAt), desc(dataset.id))
    .limit(page.limit);
  return rows.map(infoOf);
}

export async function listDatasetItems(
  db: Queryable,
  id: string,
  page: { limit: number; after: number; section?: string | undefined },
): Promise<{ seq: number; item: Item }[]> {
  await getDataset(db, id);
  const rows = await db
    .select(itemColumns)
    .from(datasetItem)
    .where(
      and(
        eq(datasetItem.datasetId, id),
        gt(datasetItem.seq, page.after),
        page.section === undefined ? undefined : eq(datasetItem.section, page.section),
      ),
    )
    .orderBy(asc(datasetItem.seq))
    .limit(page.limit);
  return rows.map((row) => ({ seq: row.seq, item: itemOf(row) }));
}

/** In the order in which they first come, with how many items each has. */
export async function datasetSections(db: Queryable, id: string): Promise<{ section: string; items: number }[]> {
  return await db
    .select({ section: datasetItem.section, items: sql<number>`count(*)::int` })
    .from(datasetItem)
    .where(eq(datasetItem.datasetId, id))
    .groupBy(datasetItem.section)
    .orderBy(sql`min(${datasetItem.seq})`);
}

export async function deleteDataset(store: Store, id: string): Promise<void> {
  await store.db.transaction(async (tx) => {
    await lockDataset(tx, id);
    const used =
      (await tx.$count(run, eq(run.datasetId, id))) + (await tx.$count(schedule, eq(schedule.datasetId, id)));
    if (used > 0)
      throw new WaymarkError({ code: 'dataset_in_use', message: `The dataset has ${used} runs or schedules.` });
    await tx.delete(pack).where(eq(pack.datasetId, id));
    await tx.delete(dataset).where(eq(dataset.id, id));
  });
}

async function lockDataset(tx: Transaction, id: string): Promise<typeof dataset.$inferSelect> {
  const [row] = isUuid(id) ? await tx.select().from(dataset).where(eq(dataset.id, id)).for('update') : [];
  if (!row) throw datasetNotFound(id);
  return row;
}

function datasetNotFound(id: string): WaymarkError {
  return new WaymarkError({ code: 'dataset_not_found', message: `There is no dataset ${id.slice(0, 100)}.` });
}

function infoOf(row: typeof dataset.$inferSelect): DatasetInfo {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    version_hash: row.versionHash,
    item_count: row.itemCount,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
