/** Rows to stand on. */
import { createHash } from 'node:crypto';
import { type Queryable, schema } from '../../src/store/index.ts';

export const HASH = createHash('sha256').update('a dataset').digest('hex');

export async function seedDataset(db: Queryable, items = 2) {
  const [dataset] = await db
    .insert(schema.dataset)
    .values({ name: 'Capitals', versionHash: HASH, itemCount: items })
    .returning();
  if (!dataset) throw new Error('no dataset');
  await db.insert(schema.datasetItem).values(
    Array.from({ length: items }, (_, seq) => ({
      datasetId: dataset.id,
      id: `item-${seq}`,
      seq,
      type: 'freeform' as const,
      promptText: `What is the capital of country ${seq}?`,
      answer: 'Paris',
    })),
  );
  return dataset;
}

export async function seedProvider(db: Queryable, surface: 'api' | 'browser', origin = 'https://chatgpt.com') {
  const [provider] = await db
    .insert(schema.provider)
    .values(
      surface === 'api'
        ? { surface, name: 'Model', kind: 'openai' as const, keyEnv: 'OPENAI_API_KEY' }
        : { surface, name: 'ChatGPT Web', targetPreset: 'chatgpt', targetOrigin: origin, targetName: 'ChatGPT Web' },
    )
    .returning();
  if (!provider) throw new Error('no provider');
  return provider;
}

export async function seedRun(db: Queryable, items = 2) {
  const dataset = await seedDataset(db, items);
  const provider = await seedProvider(db, 'api');
  const [run] = await db
    .insert(schema.run)
    .values({
      datasetId: dataset.id,
      datasetVersionHash: HASH,
      providerId: provider.id,
      providerSurface: 'api',
      status: 'completed',
      triggeredBy: 'manual',
      itemCount: items,
      plan: {
        suite: { name: 'Capitals', hash: HASH },
        variant: { kind: 'model', provider: { id: provider.id, kind: 'openai' }, model: 'model-1' },
        trials: 1,
        inputs: { hash: HASH, of: {} },
        createdAt: Date.parse('2026-01-01T00:00:00Z'),
      },
    })
    .returning();
  if (!run) throw new Error('no run');
  const ids = Array.from({ length: items }, (_, seq) => `item-${seq}`);
  await db.insert(schema.cell).values(
    ids.map((caseId, seq) => ({
      runId: run.id,
      caseId,
      seq,
      state: 'finished' as const,
      attempts: 1,
      counted: 1,
      result: 'answered' as const,
      snapshot: { type: 'freeform', prompt_text: `What is the capital of country ${seq}?` },
    })),
  );
  await db.insert(schema.attempt).values(
    ids.map((caseId) => ({
      runId: run.id,
      caseId,
      attempt: 1,
      result: 'answered' as const,
      answer: 'Paris',
      journal: '',
    })),
  );
  return { dataset, provider, run };
}
