/**
 * A capture becomes a run, or is added to the run of its earlier parts, in one transaction with the job that scores it. Whatever is refused leaves
 * no row and no artifact; the same capture twice, also at once and however often it was downloaded, is one run. Everything that takes long is done
 * before the transaction.
 */
import { sql } from 'drizzle-orm';
import type { Dataset } from '../../cases/index.ts';
import { sha256Hex } from '../../cases/index.ts';
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
  getDataset,
  lockKey,
  lockVersion,
  providerRef,
  type Queue,
  type Store,
  type Transaction,
} from '../../store/index.ts';
import { checkCapture, type ImportPlan } from '../archive/check-capture.ts';
import { readCapture } from '../archive/read-capture.ts';
import type { TokenKeys } from '../tokens/token-keys.ts';
import { verifyToken } from '../tokens/verify-token.ts';
import { addPart } from './add-part.ts';
import { upsertBrowserProvider } from './browser-providers.ts';
import { datasetOfPack } from './dataset-of-pack.ts';
import { findEarlierRun } from './earlier-run.ts';
import { findImport, type ImportAnswer, type KnownImport } from './import-answer.ts';
import { capturedAttempts, importRows } from './import-rows.ts';
import { findKnown, findKnownIn, underKey } from './known-import.ts';
import type { LastDataset } from './last-dataset.ts';
import { type ImportedFile, writeImport } from './write-import.ts';

export interface ImportContext {
  store: Store;
  queue: Queue;
  /** For journals that are too long for a row. */
  artifacts: Artifacts;
  keys: TokenKeys;
  lastDataset: LastDataset;
  now: () => Date;
}

export interface ImportRequest {
  bytes: Buffer;
  idempotencyKey?: string | undefined;
}

/** `duplicate`: nothing was new. `merged`: what was new became a part of an earlier run. */
export type ImportOutcome = ImportAnswer & { kind: 'new' | 'merged' | 'duplicate' };

export async function importCapture(context: ImportContext, request: ImportRequest): Promise<ImportOutcome> {
  const { store, keys, artifacts } = context;
  const { bytes, idempotencyKey: key } = request;
  const payload = sha256Hex(bytes);
  const keyed = key === undefined ? undefined : { operation: 'import' as const, key, requestHash: payload };
  // Without a lock first: reading and checking is the long part, and needs none.
  const known = await findKnown(store, { payload, keyed });
  if (known) return duplicate(known);
  const capture = await readCapture(bytes);
  const now = context.now();
  const token = await verifyToken(capture.browser_harness.dataset_token, keys, now);
  const { dataset, warnings } = await datasetOfPack(store.db, token, context.lastDataset);
  const checked = checkCapture(capture, token, dataset);
  const plan = { ...checked, warnings: [...warnings, ...checked.warnings] };
  const run = questionPlan({
    dataset: { name: dataset.name, version_hash: plan.version_hash },
    items: plan.items,
    variant: variantOf(plan.target),
    now,
  });
  const file: ImportedFile = { payload, bytes: bytes.length, now };
  const attempts = await prepareAttempts(artifacts, capturedAttempts(plan, run.runId));
  const prepared = [attempts];
  let used: readonly PreparedAttempt[] | undefined;
  try {
    const { outcome, written } = await store.db.transaction(async (tx) => {
      await lockPack(tx, plan.pack_id);
      if (keyed) await lockKey(tx, keyed);
      const meanwhile = await findKnownIn(tx, { payload, keyed });
      if (meanwhile) return { outcome: duplicate(meanwhile), written: undefined };
      // Another version by now is no hindrance, because the items are those of the pack. A dataset that was deleted is.
      if ((await lockVersion(tx, dataset.id)) === undefined) await getDataset(tx, dataset.id);
      const earlier = await findEarlierRun(tx, plan);
      if (!earlier) {
        const answer = await addRun(context, tx, { plan, run, dataset, attempts }, file);
        await underKey(tx, answer, keyed);
        return { outcome: { ...answer, kind: 'new' as const }, written: attempts };
      }
      const { runId, cells, added } = earlier;
      if (added.length === 0) {
        const last = await underKey(tx, await findImport(tx, { run: runId }), keyed);
        if (!last) throw new Error('the run has no import');
        return { outcome: duplicate(last), written: undefined };
      }
      const later = await prepareAttempts(
        artifacts,
        capturedAttempts({ target: plan.target, items: added }, runId, (id) => (cells.get(id)?.attempts ?? 0) + 1),
      );
      prepared.push(later);
      const answer = await addPart(context, tx, { plan, claims: token.claims, earlier, attempts: later }, file);
      await underKey(tx, answer, keyed);
      return { outcome: { ...answer, kind: 'merged' as const }, written: later };
    });
    used = written;
    return outcome;
  } finally {
    for (const list of prepared) if (list !== used) await discardAttempts(artifacts, list);
  }
}

function duplicate({ payload_sha256: _, imported_at: __, ...answer }: KnownImport): ImportOutcome {
  return { ...answer, kind: 'duplicate' };
}

function variantOf({ preset, origin, display_name: displayName }: ImportPlan['target']) {
  return { kind: 'capture' as const, preset, origin, displayName };
}

/** Held until the transaction ends: of two captures of one pack at once, the second sees what the first has written. Always before a key's lock. */
async function lockPack(tx: Transaction, packId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`waymark import ${packId}`}, 0))`);
}

interface Checked {
  plan: ImportPlan;
  run: RunPlan;
  dataset: Dataset;
  attempts: readonly PreparedAttempt[];
}

async function addRun(
  { store, queue }: ImportContext,
  tx: Transaction,
  { plan, run, dataset, attempts }: Checked,
  file: ImportedFile,
): Promise<ImportAnswer> {
  const provider = await upsertBrowserProvider(tx, plan.target);
  const judge = await providerRef(tx, plan.judge?.provider_id);
  const rows = importRows(plan, file.now);
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
  return await writeImport(tx, { runId, part: 1, plan, meta: rows.meta, provider, gradingQueued }, file);
}
