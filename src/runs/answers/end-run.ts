/** The ends of asking. What was answered stays, whichever it is. */
import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { appendRunLog, type Store, schema, type Transaction } from '../../store/index.ts';
import { enqueueGrading, type GradingContext } from '../grading/enqueue-grading.ts';
import { countItems, kept, sumUsage } from './item-counts.ts';
import { lockLaunch, type RunRow } from './lock-launch.ts';

const { attempt: attemptTable, cell, run } = schema;

/** All items were asked: the run is complete, and its scoring asked for in the same transaction. Without a single answer it has failed. */
export async function finishAsking(
  context: GradingContext & { store: Store },
  runId: string,
  attempt: number,
  now: Date,
) {
  const { store } = context;
  await store.db.transaction(async (tx) => {
    const row = await lockLaunch(tx, runId, attempt);
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
        ...(await sumUsage(tx, runId)),
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
    await enqueueGrading(context, tx, runId, row.judgeProviderId);
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
    const row = await lockLaunch(tx, runId, attempt);
    if (row) await endAs(store, tx, row, 'failed', reason, now);
  });
}

/** Ends a run before its end: what was answered stays, what was never asked is missing. Of a cell that was to be asked again, the last attempt counts. */
export async function endAs(
  store: Pick<Store, 'signals'>,
  tx: Transaction,
  row: RunRow,
  status: 'failed' | 'cancelled',
  reason: string,
  now: Date,
): Promise<void> {
  await tx
    .update(cell)
    .set({
      state: sql`case when ${cell.counted} is null then 'missing' else 'finished' end`,
      // A worker that is still at it can write nothing more.
      lease: sql`${cell.lease} + 1`,
      worker: null,
      leaseUntil: null,
    })
    .where(and(eq(cell.runId, row.id), inArray(cell.state, ['pending', 'running'])));
  const counts = await countItems(tx, row.id);
  await tx
    .update(run)
    .set({
      status,
      statusReason: reason,
      finishedAt: now,
      modelLabels: await modelLabels(tx, row.id),
      counts: { ...row.counts, ...kept(counts) },
      ...(await sumUsage(tx, row.id)),
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

/** Of the attempts that count. */
const countedAttempt = and(
  eq(attemptTable.runId, cell.runId),
  eq(attemptTable.caseId, cell.caseId),
  eq(attemptTable.trial, cell.trial),
  eq(attemptTable.attempt, cell.counted),
);

async function modelLabels(tx: Transaction, runId: string): Promise<string[]> {
  const rows = await tx
    .selectDistinct({ label: attemptTable.modelLabel })
    .from(attemptTable)
    .innerJoin(cell, countedAttempt)
    .where(and(eq(attemptTable.runId, runId), eq(attemptTable.result, 'answered'), isNotNull(attemptTable.modelLabel)))
    .orderBy(asc(attemptTable.modelLabel));
  return rows.flatMap(({ label }) => (label === null ? [] : [label]));
}

async function firstError(tx: Transaction, runId: string): Promise<string> {
  const [row] = await tx
    .select({ message: attemptTable.errorMessage })
    .from(attemptTable)
    .innerJoin(cell, countedAttempt)
    .where(and(eq(attemptTable.runId, runId), eq(attemptTable.result, 'error')))
    .orderBy(asc(cell.seq))
    .limit(1);
  return row?.message ?? '';
}
