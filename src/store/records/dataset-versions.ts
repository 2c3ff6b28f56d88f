/** Versions of a dataset that were replaced: kept as long as a pack of them can be imported, because its capture is scored by their items. */
import { and, eq, notInArray, sql } from 'drizzle-orm';
import { type Dataset, parseJsonl, toJsonl } from '../../cases/index.ts';
import type { Queryable, Transaction } from '../database.ts';
import * as schema from '../schema/index.ts';
import { allItems } from './item-rows.ts';

const { dataset, datasetVersion, pack } = schema;

type DatasetRow = typeof dataset.$inferSelect;

/** Before the items of a dataset are replaced by those of the version `next`. The caller has locked the dataset, so no pack of it is being made. */
export async function keepVersion(tx: Transaction, row: DatasetRow, next: string, now: Date): Promise<void> {
  const packs = await tx
    .selectDistinct({ version: pack.versionHash })
    .from(pack)
    .where(and(eq(pack.datasetId, row.id), sql`${pack.expiresAt} > ${now.toISOString()}`));
  // The next version is not kept beside itself, when an earlier one comes back.
  const needed = packs.map(({ version }) => version).filter((version) => version !== next);
  await tx
    .delete(datasetVersion)
    .where(
      and(
        eq(datasetVersion.datasetId, row.id),
        needed.length === 0 ? undefined : notInArray(datasetVersion.versionHash, needed),
      ),
    );
  if (!needed.includes(row.versionHash)) return;
  await tx.insert(datasetVersion).values({
    datasetId: row.id,
    versionHash: row.versionHash,
    itemCount: row.itemCount,
    items: toJsonl(await allItems(tx, row.id)),
    currentFrom: row.updatedAt,
  });
}

interface KeptVersion {
  readonly dataset: Dataset;
  /** Since when it was the dataset's version. */
  readonly currentFrom: Date;
}

/** The version that `isWanted` accepts, with its items; undefined when none that is kept is accepted. */
export async function loadKeptVersion(
  db: Queryable,
  { id, name }: Pick<Dataset, 'id' | 'name'>,
  isWanted: (versionHash: string) => boolean,
): Promise<KeptVersion | undefined> {
  const kept = await db
    .select({ hash: datasetVersion.versionHash })
    .from(datasetVersion)
    .where(eq(datasetVersion.datasetId, id));
  const wanted = kept.find(({ hash }) => isWanted(hash));
  if (!wanted) return undefined;
  const [row] = await db
    .select()
    .from(datasetVersion)
    .where(and(eq(datasetVersion.datasetId, id), eq(datasetVersion.versionHash, wanted.hash)));
  if (!row) return undefined;
  const { items } = parseJsonl(row.items);
  return { dataset: { id, name, version_hash: wanted.hash, items }, currentFrom: row.currentFrom };
}
