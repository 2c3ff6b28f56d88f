/** Chat pages as providers. Only an import makes one; preset and origin are its key. */
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '../../store/index.ts';
import { schema } from '../../store/index.ts';
import type { Target } from '../formats.ts';

const { provider } = schema;

export interface BrowserProvider {
  id: string;
  name: string;
  reused: boolean;
}

export async function upsertBrowserProvider(tx: Transaction, target: Target): Promise<BrowserProvider> {
  const { preset, origin, display_name } = target;
  const known = await browserProvider(tx, target);
  if (known) return { ...known, reused: true };
  // Two imports at once: the second waits here for the first, and finds its row.
  const [made] = await tx
    .insert(provider)
    .values({
      surface: 'browser',
      name: display_name,
      targetPreset: preset,
      targetOrigin: origin,
      targetName: display_name,
    })
    .onConflictDoNothing({ target: [provider.targetPreset, provider.targetOrigin] })
    .returning({ id: provider.id, name: provider.name });
  if (made) return { ...made, reused: false };
  const others = await browserProvider(tx, target);
  if (!others) throw new Error('the browser provider is neither new nor there');
  return { ...others, reused: true };
}

async function browserProvider(tx: Transaction, { preset, origin }: Target) {
  const [known] = await tx
    .select({ id: provider.id, name: provider.name })
    .from(provider)
    .where(and(eq(provider.targetPreset, preset), eq(provider.targetOrigin, origin)));
  return known;
}
