/**
 * Version 0.1.0 called every provider by chat completions; this one calls those of kind anthropic and google by the protocols of their vendors.
 * A provider at another address than the vendor's own is a proxy that was known to speak chat completions: it keeps that protocol.
 */
import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';

export async function upgradeProviders(db: Queryable): Promise<void> {
  // Of a provider without an address this is null, and no comparison with it is true.
  const host = sql`substring(lower(base_url) from '^https?://([^/:?#]+)')`;
  await db.execute(sql`
    update provider set kind = 'openai-compatible'
    where (kind = 'anthropic' and ${host} <> 'api.anthropic.com')
      or (kind = 'google' and ${host} <> 'generativelanguage.googleapis.com')`);
}
