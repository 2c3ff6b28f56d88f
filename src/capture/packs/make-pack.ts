/** Makes packs and stores a record of each. The token itself is not stored. */

import { canonicalHash, type Dataset } from '../../cases/index.ts';
import { loadDataset, providerRef, type Queryable, type Store, schema } from '../../store/index.ts';
import type { Pack } from '../formats.ts';
import type { TokenKeys } from '../tokens/token-keys.ts';
import { buildPack, packTarget } from './build-pack.ts';
import type { PackRequest } from './pack-request.ts';

/** Builds the pack without storing a record, for the preflight check. */
export async function draftPack(
  db: Queryable,
  dataset: Dataset,
  request: PackRequest,
  keys: TokenKeys,
  now: Date,
): Promise<Pack> {
  return await buildPack(dataset, request, now, keys, {
    judgeProvider: await providerRef(db, request.judge?.provider_id),
  });
}

export async function makePack(store: Store, request: PackRequest, keys: TokenKeys, now: Date): Promise<Pack> {
  return await store.db.transaction(async (tx) => {
    // Locked, so that the items are not replaced before the pack is written: they would not be kept for it.
    const dataset = await loadDataset(tx, request.dataset_id, true);
    const made = await draftPack(tx, dataset, request, keys, now);
    const itemIds = made.items.map(({ id }) => id);
    await tx.insert(schema.pack).values({
      id: made.pack_id,
      datasetId: made.dataset.id,
      versionHash: dataset.version_hash,
      itemIds,
      itemIdsHash: canonicalHash(itemIds),
      itemCount: itemIds.length,
      target: { ...packTarget(request) },
      judge: request.judge ?? null,
      judgeProviderId: request.judge?.provider_id ?? null,
      jti: made.pack_id,
      kid: keys.current.kid,
      expiresAt: new Date(made.expires_at),
      createdAt: now,
    });
    return made;
  });
}
