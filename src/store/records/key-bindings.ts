/** Where the key in an environment variable belongs: to the origin of the provider that was the first to name the variable. */
import { and, asc, eq } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import { fixedOrigins, type KeyAccess, keyRefusal, originOf, resolveBaseUrl } from '../../models/index.ts';
import type { Queryable, Transaction } from '../database.ts';
import { keyBinding, provider } from '../schema/index.ts';

type Row = Pick<typeof provider.$inferSelect, 'kind' | 'baseUrl'>;

/** @throws WaymarkError where this key may not be used, or not at this address. */
export async function bindKey(tx: Transaction, keyEnv: string, row: Row, access: KeyAccess): Promise<void> {
  const baseUrl = addressOf(row);
  const isFixed = fixedOrigins(keyEnv, access) !== undefined;
  // A name that may not be used is bound to nothing.
  const refusal =
    keyRefusal({ keyEnv, baseUrl, boundTo: null }, access) ??
    (isFixed ? undefined : keyRefusal({ keyEnv, baseUrl, boundTo: await keepOrigin(tx, keyEnv, row) }, access));
  if (refusal) throw new WaymarkError(refusal);
}

/** Binds a key that has no binding yet, to the provider that has named it for the longest time, or else to `row`. @returns the origin it is bound to. */
export async function keepOrigin(tx: Transaction, keyEnv: string, row: Row): Promise<string> {
  const [first = row] = await tx
    .select({ kind: provider.kind, baseUrl: provider.baseUrl })
    .from(provider)
    .where(and(eq(provider.surface, 'api'), eq(provider.keyEnv, keyEnv)))
    .orderBy(asc(provider.createdAt), provider.id)
    .limit(1);
  const address = addressOf(first);
  await tx
    .insert(keyBinding)
    .values({ keyEnv, origin: originOf(address) ?? address })
    .onConflictDoNothing();
  const bound = await originOfKey(tx, keyEnv);
  if (bound === null) throw new Error(`the key in ${keyEnv} has no binding`);
  return bound;
}

/** Null: the key is bound to no origin yet. */
export async function originOfKey(db: Queryable, keyEnv: string | null): Promise<string | null> {
  if (keyEnv === null) return null;
  const [bound] = await db.select({ origin: keyBinding.origin }).from(keyBinding).where(eq(keyBinding.keyEnv, keyEnv));
  return bound?.origin ?? null;
}

function addressOf({ kind, baseUrl }: Row): string {
  return baseUrl ?? (kind === null ? undefined : resolveBaseUrl(kind, null)) ?? '';
}
