/** The version of the dataset that a pack was made of: the current one, or one that was replaced and is kept for packs. */
import type { Dataset } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { getDataset, loadKeptVersion, type Queryable } from '../../store/index.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { LastDataset } from './last-dataset.ts';

interface PackDataset {
  readonly dataset: Dataset;
  /** Says that the dataset has been changed since. */
  readonly warnings: readonly Warning[];
}

/** Where the pack's version is not kept, the current one: the check of the capture says what has changed. */
export async function datasetOfPack(db: Queryable, token: VerifiedToken, last: LastDataset): Promise<PackDataset> {
  const current = await last.load(db, token.claims.dataset_id);
  if (token.isOfVersion(current.version_hash)) return { dataset: current, warnings: [] };
  const kept = await loadKeptVersion(db, current, token.isOfVersion);
  if (!kept) return { dataset: current, warnings: [] };
  const now = await getDataset(db, current.id);
  const { dataset, currentFrom } = kept;
  // By their dates: this text is kept with the run, and the hash of a version lets anyone try answers.
  const message =
    `The dataset was changed after the pack was made. The capture is scored by the version of its pack (from ${currentFrom.toISOString()}, ${dataset.items.length} items), ` +
    `not by the current one (from ${now.updated_at}, ${now.item_count} items).`;
  return { dataset, warnings: [{ code: 'dataset_changed', message }] };
}
