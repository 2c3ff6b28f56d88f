/**
 * A capture becomes a run, in one transaction with the job that scores it. Whatever is refused leaves no row and no artifact; the same bytes
 * twice, also at once, are one run. Everything that takes long is done before the transaction.
 */
import { eq, sql } from 'drizzle-orm';
import type { Dataset } from '../../cases/index.ts';
import { sha256Hex } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { RunPlan } from '../../events/index.ts';
import {
  addFinishedIn,
  discardAttempts,
  enqueueGrading,
  type PreparedAttempt,
  prepareAttempts,
  questionPlan,
} from '../../runs/index.ts';
import {
  type Artifacts,
  appendRunLog,
  isUuid,
  loadDataset,
  lockVersion,
  providerRef,
  type Queue,
  type Store,
  schema,
  type Transaction,
} from '../../store/index.ts';
import { checkCapture, type ImportPlan } from '../archive/check-capture.ts';
import { readCapture } from '../archive/read-capture.ts';
import type { TokenKeys } from '../tokens/token-keys.ts';
import { verifyToken } from '../tokens/verify-token.ts';
import { upsertBrowserProvider } from './browser-providers.ts';
import { findImport, type ImportAnswer } from './import-answer.ts';
import { capturedAttempts, importRows } from './import-rows.ts';

const { captureImport, pack } = schema;

export interface ImportContext {
  store: Store;
  queue: Queue;
  /** For journals that are too long for a row. */
  artifacts: Artifacts;
  keys: TokenKeys;
  now: () => Date;
}

export interface ImportRequest {
  bytes: Buffer;
  idempotencyKey?: string | undefined;
}

export type ImportOutcome = ImportAnswer & { duplicate: boolean };

export async function importCapture(context: ImportContext, request: ImportRequest): Promise<ImportOutcome> {
  const payload = sha256Hex(request.bytes);
  const { store, keys } = context;
  // Without a lock first: reading and checking is the long part, and needs none.
  const known = await duplicateOf(store.db, payload, request.idempotencyKey);
  if (known) return known;
  const capture = await readCapture(request.bytes);
  const now = context.now();
  const token = await verifyToken(capture.browser_harness.dataset_token, keys, now);
  const datasetId = token.claims.dataset_id;
  // One snapshot: the items are those of the version, even if they are replaced meanwhile.
  const dataset = await store.db.transaction((tx) => loadDataset(tx, datasetId), {
    isolationLevel: 'repeatable read',
  });
  const plan = checkCapture(capture, token, dataset);
  const run = questionPlan({
    dataset: { name: dataset.name, version_hash: plan.version_hash },
    items: plan.items,
    variant: variantOf(plan.target),
    now,
  });
  const attempts = await prepareAttempts(context.artifacts, capturedAttempts(plan, run.runId));
  const discard = () => discardAttempts(context.artifacts, attempts);
  try {
    const outcome = await store.db.transaction(async (tx) => {
      for (const name of [payload, request.idempotencyKey]) if (name !== undefined) await lockName(tx, name);
      const meanwhile = await duplicateOf(tx, payload, request.idempotencyKey);
      if (meanwhile) return meanwhile;
      // Replaced or deleted since it was read: the check says what is wrong now.
      if ((await lockVersion(tx, datasetId)) !== dataset.version_hash) {
        checkCapture(capture, token, await loadDataset(tx, datasetId));
      }
      return await write(context, tx, { plan, run, dataset, attempts }, { ...request, payload, now });
    });
    if (outcome.duplicate) await discard();
    return outcome;
  } catch (error) {
    await discard();
    throw error;
  }
}

function variantOf({ preset, origin, display_name: displayName }: ImportPlan['target']) {
  return { kind: 'capture' as const, preset, origin, displayName };
}

/** Both held until the transaction ends; always the payload's first, so that no two wait for each other. */
async function lockName(tx: Transaction, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`waymark import ${name}`}, 0))`);
}

async function duplicateOf(
  db: Parameters<typeof findImport>[0],
  payload: string,
  key: string | undefined,
): Promise<ImportOutcome | undefined> {
  const byKey = key === undefined ? undefined : await findImport(db, { key });
  if (byKey && byKey.payload_sha256 !== payload) {
    throw new WaymarkError({
      code: 'idempotency_key_reused',
      message: 'This idempotency key was used before, for another capture.',
      issues: [
        {
          path: 'Idempotency-Key',
          code: 'idempotency_key_reused',
          message: `It belongs to import ${byKey.import_id}.`,
        },
      ],
      hint: 'Use a new key for a new capture.',
    });
  }
  const found = byKey ?? (await findImport(db, { payload }));
  if (!found) return undefined;
  const { payload_sha256: _, imported_at: __, ...answer } = found;
  return { ...answer, duplicate: true };
}

interface Checked {
  plan: ImportPlan;
  run: RunPlan;
  dataset: Dataset;
  attempts: readonly PreparedAttempt[];
}

async function write(
  { store, queue }: ImportContext,
  tx: Transaction,
  { plan, run, dataset, attempts }: Checked,
  about: ImportRequest & { payload: string; now: Date },
): Promise<ImportOutcome> {
  const provider = await upsertBrowserProvider(tx, plan.target);
  const judge = await providerRef(tx, plan.judge?.provider_id);
  const rows = importRows(plan, about.now);
  const { runId } = run;
  await addFinishedIn(
    tx,
    run,
    { ...rows.run, providerId: provider.id, judgeProviderId: judge?.surface === 'api' ? judge.id : null },
    attempts,
    { snapshots: new Map(dataset.items.map((item) => [item.id, item])), left: 'missing' },
  );
  await appendRunLog(store, tx, runId, rows.log);
  const gradingQueued = await enqueueGrading({ store, queue }, tx, runId, plan.judge?.provider_id);
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
      runId: runId,
      packId: await packOf(tx, plan.pack_id),
      payloadSha256: about.payload,
      payloadBytes: about.bytes.length,
      idempotencyKey: about.idempotencyKey ?? null,
      providerReused: answer.provider_reused,
      datasetReused: answer.dataset_reused,
      gradingQueued: answer.scoring_queued,
      counts: { ...plan.counts },
      warnings: [...plan.warnings],
      meta: rows.meta,
      createdAt: about.now,
    })
    .returning({ id: captureImport.id });
  if (!imported) throw new Error('the import was not written');
  return {
    import_id: imported.id,
    run_id: runId,
    provider_id: provider.id,
    provider_name: provider.name,
    ...answer,
    duplicate: false,
  };
}

async function packOf(tx: Transaction, id: string): Promise<string | null> {
  const [row] = isUuid(id) ? await tx.select({ id: pack.id }).from(pack).where(eq(pack.id, id)) : [];
  return row?.id ?? null;
}
