/** Adds what a later part of a capture has to the run of the earlier ones, and lets the run be scored again. Earlier attempts stay. */
import { desc, eq, sql } from 'drizzle-orm';
import type { Warning } from '../../errors/index.ts';
import { notFound } from '../../errors/index.ts';
import { addLaterIn, enqueueGrading, type PreparedAttempt } from '../../runs/index.ts';
import { appendRunLog, type Queue, type Store, schema, type Transaction } from '../../store/index.ts';
import { captureWarnings } from '../archive/capture-warnings.ts';
import type { ImportPlan } from '../archive/check-capture.ts';
import type { TokenClaims } from '../tokens/claims.ts';
import { upsertBrowserProvider } from './browser-providers.ts';
import type { EarlierRun } from './earlier-run.ts';
import type { ImportAnswer } from './import-answer.ts';
import { importRows } from './import-rows.ts';
import { wholePlan } from './later-part.ts';
import { type ImportedFile, writeImport } from './write-import.ts';

const { captureImport, run } = schema;

interface LaterPart {
  readonly plan: ImportPlan;
  readonly claims: TokenClaims;
  readonly earlier: EarlierRun;
  /** Of what the part adds. */
  readonly attempts: readonly PreparedAttempt[];
}

export async function addPart(
  { store, queue }: { store: Store; queue: Queue },
  tx: Transaction,
  { plan, claims, earlier, attempts }: LaterPart,
  file: ImportedFile,
): Promise<ImportAnswer> {
  const { runId, cells, added } = earlier;
  const [row] = await tx.select().from(run).where(eq(run.id, runId)).for('update');
  const [last] = await tx
    .select({ part: captureImport.part, warnings: captureImport.warnings })
    .from(captureImport)
    .where(eq(captureImport.runId, runId))
    .orderBy(desc(captureImport.part))
    .limit(1);
  if (!row || !last) throw notFound('run', runId);
  const whole = wholePlan(plan, added, { cells, modelLabels: row.modelLabels });
  const session = { started_at: plan.started_at, finished_at: plan.finished_at };
  const ofWhole = captureWarnings({ items: whole.items, model_labels: whole.model_labels, session, claims });
  // Written by imports alone.
  const earlierWarnings = (last.warnings as Warning[]).filter(isLasting);
  const merged = {
    ...whole,
    warnings: distinct([...plan.warnings.filter(isOfDataset), ...earlierWarnings, ...ofWhole]),
  };
  const part = last.part + 1;
  const rows = importRows(merged, file.now, part);
  await addLaterIn(tx, runId, attempts);
  await tx
    .update(run)
    .set({
      model: rows.run.model,
      modelLabels: rows.run.modelLabels,
      counts: { ...row.counts, ...rows.run.counts },
      startedAt: earliest(row.startedAt, rows.run.startedAt),
      finishedAt: latest(row.finishedAt, rows.run.finishedAt),
      updatedAt: sql`now()`,
    })
    .where(eq(run.id, runId));
  await appendRunLog(store, tx, runId, rows.log);
  const provider = await upsertBrowserProvider(tx, plan.target);
  const gradingQueued = await enqueueGrading({ store, queue }, tx, runId, row.judgeProviderId);
  return await writeImport(tx, { runId, part, plan: merged, meta: rows.meta, provider, gradingQueued }, file);
}

const isOfDataset = ({ code }: Warning): boolean => code === 'dataset_changed';

/** These are about the run as a whole, and were made again. */
const isLasting = ({ code }: Warning): boolean => !['missing_items', 'errored_items', 'several_models'].includes(code);

function distinct(warnings: readonly Warning[]): Warning[] {
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.message}`, warning])).values()];
}

const earliest = (a: Date | null, b: Date): Date => (a !== null && a < b ? a : b);
const latest = (a: Date | null, b: Date): Date => (a !== null && a > b ? a : b);
