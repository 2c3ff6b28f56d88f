/** What an import answers, the first time and every time after. */
import { desc, eq } from 'drizzle-orm';
import type { Warning } from '../../errors/index.ts';
import { notFound } from '../../errors/index.ts';
import { isUuid, type Queryable, schema } from '../../store/index.ts';
import type { ImportPlan } from '../archive/check-capture.ts';

const { captureImport, provider, run } = schema;

export interface ImportAnswer {
  import_id: string;
  run_id: string;
  provider_id: string;
  provider_name: string;
  provider_reused: boolean;
  dataset_reused: boolean;
  scoring_queued: boolean;
  counts: ImportPlan['counts'];
  warnings: readonly Warning[];
}

export interface KnownImport extends ImportAnswer {
  payload_sha256: string;
  imported_at: string;
}

/** `run`: the last of its imports. */
type By = { payload: string } | { id: string } | { run: string };

export async function findImport(db: Queryable, by: By): Promise<KnownImport | undefined> {
  const where =
    'payload' in by
      ? eq(captureImport.payloadSha256, by.payload)
      : 'run' in by
        ? eq(captureImport.runId, by.run)
        : eq(captureImport.id, by.id);
  const [row] = await db
    .select({ made: captureImport, providerId: provider.id, providerName: provider.name })
    .from(captureImport)
    .innerJoin(run, eq(run.id, captureImport.runId))
    .innerJoin(provider, eq(provider.id, run.providerId))
    .where(where)
    .orderBy(desc(captureImport.part))
    .limit(1);
  if (!row) return undefined;
  const { made } = row;
  return {
    import_id: made.id,
    run_id: made.runId,
    provider_id: row.providerId,
    provider_name: row.providerName,
    provider_reused: made.providerReused,
    dataset_reused: made.datasetReused,
    scoring_queued: made.gradingQueued,
    // Written by import-capture.ts alone.
    counts: made.counts as unknown as ImportPlan['counts'],
    warnings: made.warnings as Warning[],
    payload_sha256: made.payloadSha256,
    imported_at: made.createdAt.toISOString(),
  };
}

export async function getImport(db: Queryable, id: string): Promise<KnownImport> {
  const found = isUuid(id) ? await findImport(db, { id }) : undefined;
  if (!found) throw notFound('import', id);
  return found;
}
