/** The row of an import, and its answer. */
import { sql } from 'drizzle-orm';
import { isUuid, schema, type Transaction } from '../../store/index.ts';
import type { ImportPlan } from '../archive/check-capture.ts';
import type { BrowserProvider } from './browser-providers.ts';
import type { ImportAnswer } from './import-answer.ts';

const { captureImport, pack } = schema;

/** The file that was uploaded. */
export interface ImportedFile {
  readonly payload: string;
  readonly bytes: number;
  readonly now: Date;
}

interface Written {
  readonly runId: string;
  readonly part: number;
  readonly plan: ImportPlan;
  readonly meta: Record<string, unknown>;
  readonly provider: BrowserProvider;
  readonly gradingQueued: boolean;
}

export async function writeImport(
  tx: Transaction,
  { runId, part, plan, meta, provider, gradingQueued }: Written,
  file: ImportedFile,
): Promise<ImportAnswer> {
  const answer = {
    provider_reused: provider.reused,
    // An import never makes a dataset: it is the one that the pack was made of.
    dataset_reused: true,
    scoring_queued: gradingQueued,
    counts: plan.counts,
    warnings: plan.warnings,
  };
  const [imported] = await tx
    .insert(captureImport)
    .values({
      runId,
      part,
      // Null where it has been deleted, or was made by another server.
      packId: isUuid(plan.pack_id) ? sql`(select id from ${pack} where id = ${plan.pack_id})` : null,
      payloadSha256: file.payload,
      payloadBytes: file.bytes,
      providerReused: answer.provider_reused,
      datasetReused: answer.dataset_reused,
      gradingQueued: answer.scoring_queued,
      counts: { ...plan.counts },
      warnings: [...plan.warnings],
      meta,
      createdAt: file.now,
    })
    .returning({ id: captureImport.id });
  if (!imported) throw new Error('the import was not written');
  return { import_id: imported.id, run_id: runId, provider_id: provider.id, provider_name: provider.name, ...answer };
}
