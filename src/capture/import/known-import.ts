/** What makes an import known again: the key that its caller gave, and its bytes. */
import {
  answerToKey,
  type KeyedRequest,
  keepKey,
  lockKey,
  type Queryable,
  type Store,
  type Transaction,
} from '../../store/index.ts';
import { findImport, type KnownImport } from './import-answer.ts';

/** What a request is known by. */
interface Uploaded {
  /** SHA-256 of the bytes. */
  readonly payload: string;
  readonly keyed: KeyedRequest | undefined;
}

/** The earlier import of the same bytes or the same key. The key holds for a duplicate too, so it is kept where it is new. */
export async function findKnown(store: Store, { payload, keyed }: Uploaded): Promise<KnownImport | undefined> {
  const byKey = await findByKey(store.db, keyed);
  if (byKey) return byKey;
  const known = await findImport(store.db, { payload });
  if (!known || !keyed) return known;
  return await store.db.transaction(async (tx) => {
    await lockKey(tx, keyed);
    return await findKnownIn(tx, { payload, keyed });
  });
}

/** The same in a transaction that has locked the key. */
export async function findKnownIn(tx: Transaction, { payload, keyed }: Uploaded): Promise<KnownImport | undefined> {
  return (await findByKey(tx, keyed)) ?? (await underKey(tx, await findImport(tx, { payload }), keyed));
}

/** Keeps the key with an import that it does not belong to yet. */
export async function underKey<T extends { import_id: string; run_id: string }>(
  tx: Transaction,
  found: T | undefined,
  keyed: KeyedRequest | undefined,
): Promise<T | undefined> {
  if (found && keyed) await keepKey(tx, keyed, found.run_id, { import_id: found.import_id });
  return found;
}

async function findByKey(db: Queryable, keyed: KeyedRequest | undefined): Promise<KnownImport | undefined> {
  const known = keyed && (await answerToKey(db, keyed));
  return known && (await findImport(db, { id: String(known['import_id']) }));
}
