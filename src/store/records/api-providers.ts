/** Providers behind an API: the only ones that people make, edit and choose. Browser providers are never listed here. */
import { and, asc, eq, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { type ApiProvider, type KeyAccess, resolveBaseUrl } from '../../models/index.ts';
import type { Queryable } from '../database.ts';
import * as schema from '../schema/index.ts';
import type { Store } from '../store.ts';
import { isUuid } from './ids.ts';
import { bindKey, keepOrigin, originOfKey } from './key-bindings.ts';

const { pack, provider, run, schedule } = schema;
type Kind = (typeof schema.PROVIDER_KINDS)[number];

export const apiProviderSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  kind: z.enum(schema.PROVIDER_KINDS),
  base_url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((text) => !/^[^/]*\/\/[^/]*@/.test(text), { error: 'must hold no user name and no password' })
    .nullish(),
  /** A name, never a key. */
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })
    .max(100)
    .nullish(),
});
export type ApiProviderInput = z.infer<typeof apiProviderSchema>;

export interface ApiProviderInfo {
  id: string;
  name: string;
  surface: 'api';
  browser_target: null;
  kind: Kind;
  base_url: string;
  key_env: string | null;
  created_at: string;
  updated_at: string;
}

/** @throws WaymarkError where its key may not be used, or not at its address. */
export async function createApiProvider(
  store: Store,
  input: ApiProviderInput,
  access: KeyAccess,
): Promise<ApiProviderInfo> {
  const columns = columnsOf(input);
  return await store.db.transaction(async (tx) => {
    if (columns.keyEnv !== null) await bindKey(tx, columns.keyEnv, columns, access);
    const [made] = await tx
      .insert(provider)
      .values({ surface: 'api', ...columns })
      .returning();
    return infoOf(made);
  });
}

/** @throws WaymarkError where its key may not be used, or not at its new address. */
export async function updateApiProvider(
  store: Store,
  id: string,
  input: ApiProviderInput,
  access: KeyAccess,
): Promise<ApiProviderInfo> {
  const columns = columnsOf(input);
  return await store.db.transaction(async (tx) => {
    const old = await getApiProvider(tx, id);
    // A key that is taken from it does not become free for another host.
    if (old.key_env !== null) await keepOrigin(tx, old.key_env, { kind: old.kind, baseUrl: old.base_url });
    if (columns.keyEnv !== null) await bindKey(tx, columns.keyEnv, columns, access);
    const [changed] = await tx
      .update(provider)
      .set({ ...columns, updatedAt: sql`now()` })
      .where(and(eq(provider.id, id), eq(provider.surface, 'api')))
      .returning();
    if (!changed) throw notFound('provider', id);
    return infoOf(changed);
  });
}

export async function listApiProviders(db: Queryable): Promise<ApiProviderInfo[]> {
  const rows = await db
    .select()
    .from(provider)
    .where(eq(provider.surface, 'api'))
    .orderBy(asc(provider.name), provider.id);
  return rows.map(infoOf);
}

export async function getApiProvider(db: Queryable, id: string): Promise<ApiProviderInfo> {
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(provider)
        .where(and(eq(provider.id, id), eq(provider.surface, 'api')))
    : [];
  if (!row) throw notFound('provider', id);
  return infoOf(row);
}

export async function deleteApiProvider(store: Store, id: string): Promise<void> {
  await store.db.transaction(async (tx) => {
    const { kind, base_url, key_env } = await getApiProvider(tx, id);
    // Its key does not become free for another host.
    if (key_env !== null) await keepOrigin(tx, key_env, { kind, baseUrl: base_url });
    const uses = [
      await tx.$count(run, eq(run.providerId, id)),
      await tx.$count(run, eq(run.judgeProviderId, id)),
      await tx.$count(pack, eq(pack.judgeProviderId, id)),
      await tx.$count(schedule, or(eq(schedule.providerId, id), eq(schedule.judgeProviderId, id))),
    ];
    if (uses.some((count) => count > 0)) {
      const [runs, judged, packs, schedules] = uses;
      throw new WaymarkError({
        code: 'provider_in_use',
        message: `The provider is used by ${runs} runs, as judge of ${judged} runs and ${packs} packs, and by ${schedules} schedules.`,
      });
    }
    await tx.delete(provider).where(eq(provider.id, id));
  });
}

/** What the store knows of an id, of either surface; undefined where it knows nothing. */
export async function providerRef(db: Queryable, id: string | null | undefined) {
  if (!isUuid(id)) return undefined;
  const [row] = await db
    .select({ id: provider.id, surface: provider.surface })
    .from(provider)
    .where(eq(provider.id, id));
  return row;
}

/** A provider as calls need it. @throws WaymarkError where there is none of this id. */
export async function callableProvider(db: Queryable, id: string): Promise<ApiProvider> {
  const { kind, base_url, key_env } = await getApiProvider(db, id);
  return { id, kind, baseUrl: base_url, keyEnv: key_env, binding: { origin: await originOfKey(db, key_env) } };
}

function columnsOf({ name, kind, base_url, key_env }: ApiProviderInput) {
  if (kind === 'openai-compatible' && !base_url) {
    throw new WaymarkError({
      code: 'base_url_missing',
      message: 'A provider of kind openai-compatible needs a base_url.',
    });
  }
  return { name, kind, baseUrl: base_url ?? null, keyEnv: key_env ?? null };
}

function infoOf(row: typeof provider.$inferSelect | undefined): ApiProviderInfo {
  if (row?.surface !== 'api' || row.kind === null) throw new Error('not an API provider');
  const { id, name, kind, baseUrl, keyEnv } = row;
  return {
    id,
    name,
    surface: 'api',
    browser_target: null,
    kind,
    base_url: baseUrl ?? resolveBaseUrl(kind, null) ?? '',
    key_env: keyEnv,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
