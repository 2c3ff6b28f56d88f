/** The ends of asking. What was answered stays, whichever it is. */
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { appendRunLog, type Store, schema, type Transaction } from '../../store/index.ts';
import { enqueueScoring, type ScoringContext } from '../grading/enqueue-scoring.ts';
import { countItems, kept } from './item-counts.ts';
import { lockAttempt, type RunRow } from './lock-attempt.ts';

const { run, runItem } = schema;

/** All items were asked: the run is complete, and its scoring asked for in the same transaction. Without a single answer it has failed. */
export async function finishAsking(desk: ScoringContext & { store: Store }, runId: string, attempt: number, now: Date) {
  const { store } = desk;
  await store.db.transaction(async (tx) => {
    const row = await lockAttempt(tx, runId, attempt);
    if (!row) return;
    const counts = await countItems(tx, runId);
    if (counts.answered === 0 && counts.expected > 0) {
      return await endAs(
        store,
        tx,
        row,
        'failed',
        `No item was answered. The first error: ${await firstError(tx, runId)}`,
        now,
      );
    }
    const labels = await modelLabels(tx, runId);
    await tx
      .update(run)
      .set({
        status: 'completed',
        statusReason: null,
        finishedAt: now,
        modelLabels: labels,
        counts: { ...row.counts, ...kept(counts) },
        updatedAt: sql`now()`,
      })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      {
        level: counts.errored > 0 ? 'warning' : 'info',
        code: 'run_completed',
        message: `${counts.answered} of ${counts.expected} items answered, ${counts.errored} with errors.`,
        data: { attempt, ...kept(counts) },
      },
      ...(labels.length > 1
        ? [
            {
              level: 'warning' as const,
              code: 'several_models',
              message: `The replies name ${labels.length} models: ${labels.join(', ')}.`,
              data: { model_labels: labels },
            },
          ]
        : []),
    ]);
    await enqueueScoring(desk, tx, runId, row.judgeProviderId);
  });
}

export async function failAsking(
  store: Store,
  runId: string,
  attempt: number,
  reason: string,
  now: Date,
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const row = await lockAttempt(tx, runId, attempt);
    if (row) await endAs(store, tx, row, 'failed', reason, now);
  });
}

/** Ends a run before its end: what was answered stays, what was not asked is missing. */
export async function endAs(
  store: Pick<Store, 'signals'>,
  tx: Transaction,
  row: RunRow,
  status: 'failed' | 'cancelled',
  reason: string,
  now: Date,
): Promise<void> {
  await tx
    .update(runItem)
    .set({ status: 'missing' })
    .where(and(eq(runItem.runId, row.id), eq(runItem.status, 'pending')));
  const counts = await countItems(tx, row.id);
  await tx
    .update(run)
    .set({
      status,
      statusReason: reason,
      finishedAt: now,
      modelLabels: await modelLabels(tx, row.id),
      counts: { ...row.counts, ...kept(counts) },
      updatedAt: sql`now()`,
    })
    .where(eq(run.id, row.id));
  await appendRunLog(store, tx, row.id, [
    {
      level: status === 'failed' ? 'error' : 'warning',
      code: `run_${status}`,
      message: `${reason} ${counts.answered} of ${counts.expected} items were answered.`,
      data: { attempt: row.launchAttempt, ...kept(counts) },
    },
  ]);
}

async function modelLabels(tx: Transaction, runId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ label: runItem.modelLabel })
    .from(runItem)
    .where(and(eq(runItem.runId, runId), eq(runItem.status, 'answered'), isNotNull(runItem.modelLabel)))
    .orderBy(asc(runItem.modelLabel));
  return rows.flatMap(({ label }) => (label === null ? [] : [label]));
}

async function firstError(tx: Transaction, runId: string): Promise<string> {
  const [row] = await tx
    .select({ message: runItem.errorMessage })
    .from(runItem)
    .where(and(eq(runItem.runId, runId), eq(runItem.status, 'error')))
    .orderBy(asc(runItem.seq))
    .limit(1);
  return row?.message ?? '';
}
