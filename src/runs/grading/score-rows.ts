/** What the scoring worker reads and writes. */
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { type Item, itemSchema } from '../../cases/index.ts';
import { sentenceOf } from '../../errors/index.ts';
import {
  appendRunLog,
  GiveUp,
  insertRows,
  type Queryable,
  type Store,
  schema,
  type Transaction,
} from '../../store/index.ts';
import type { NewScore, PendingItem } from './pending-item.ts';
import { verdictCounts } from './verdict-counts.ts';

const { run, runItem, score } = schema;

/** @returns undefined when this attempt is not the run's any more, or has ended. */
export async function beginScoring(store: Store, runId: string, attempt: number) {
  return await store.db.transaction(async (tx) => {
    const current = await lockAttempt(tx, runId, attempt);
    if (!current) return undefined;
    const done = await tx.$count(score, and(eq(score.runId, runId), eq(score.attempt, attempt)));
    await tx.update(run).set({ scoringStatus: 'running', updatedAt: sql`now()` }).where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      current.scoringStatus === 'queued'
        ? { level: 'info', code: 'scoring_started', message: 'Scoring began.', data: { attempt } }
        : {
            level: 'warning',
            code: 'scoring_resumed',
            message: `Scoring was interrupted, and goes on after ${done} of ${current.itemCount} items.`,
            data: { attempt, done },
          },
    ]);
    return current;
  });
}

async function lockAttempt(tx: Transaction, runId: string, attempt: number) {
  const [current] = await tx.select().from(run).where(eq(run.id, runId)).for('update');
  const isOurs = current?.scoringAttempt === attempt && ['queued', 'running'].includes(current.scoringStatus);
  return isOurs ? current : undefined;
}

/**
 * The next items of a run, and which of them have no row yet. Two look-ups by key instead of a join: PGlite has no statistics of its
 * tables, and a planner without them compares every item with every score.
 * @returns no items at the end of the run only: `pending` may be empty before.
 */
export async function nextItems(
  db: Queryable,
  { runId, attempt, after, limit }: { runId: string; attempt: number; after: number; limit: number },
): Promise<{ last: number; pending: PendingItem[] } | undefined> {
  const rows = await db
    .select({
      id: runItem.datasetItemId,
      seq: runItem.seq,
      item: runItem.item,
      status: runItem.status,
      response: runItem.response,
    })
    .from(runItem)
    .where(and(eq(runItem.runId, runId), gt(runItem.seq, after)))
    .orderBy(asc(runItem.seq))
    .limit(limit);
  const last = rows.at(-1);
  if (!last) return undefined;
  const ids = rows.map(({ id }) => id);
  const scored = await db
    .select({ id: score.datasetItemId })
    .from(score)
    .where(and(eq(score.runId, runId), inArray(score.datasetItemId, ids), eq(score.attempt, attempt)));
  const done = new Set(scored.map(({ id }) => id));
  const pending = rows.flatMap(({ id, seq, item, status, response }) =>
    done.has(id) || status === 'pending' ? [] : [{ seq, item: readItem(id, item), status, response }],
  );
  return { last: last.seq, pending };
}

function readItem(id: string, stored: unknown): Item {
  const read = itemSchema.safeParse(stored);
  if (read.success) return read.data;
  // It will not get better by itself.
  throw new GiveUp('run_item_unreadable', `The stored item ${id} can't be read: ${sentenceOf(read.error)}`);
}

/** A row that is there already stays as it is: another worker was quicker. */
export async function writeScores(
  store: Store,
  runId: string,
  attempt: number,
  scores: readonly NewScore[],
): Promise<void> {
  if (scores.length === 0) return;
  await store.db.transaction(async (tx) => {
    const written = await insertRows(
      tx,
      score,
      scores.map(({ id, method, value, verdict, detail, judge }) => ({
        runId,
        datasetItemId: id,
        attempt,
        method,
        value,
        verdict,
        detail: { ...detail },
        judge: judge && { ...judge },
      })),
      { skipKnown: true },
    );
    const failed = scores.filter(({ verdict }) => verdict === 'error');
    await appendRunLog(store, tx, runId, [
      {
        level: 'info',
        code: 'items_scored',
        message: `${written} items scored.`,
        data: { attempt, items: written },
      },
      ...failed.map(({ id, detail }) => ({
        level: 'warning' as const,
        code: 'score_error',
        message: `${id}: ${detail.reason}`,
        data: { item_id: id },
      })),
    ]);
  });
}

export async function finishScoring(store: Store, runId: string, attempt: number, blocked: string | null) {
  await store.db.transaction(async (tx) => {
    const current = await lockAttempt(tx, runId, attempt);
    if (!current) return;
    const counts = await verdictCounts(tx, runId, attempt);
    const unscored = current.itemCount - counts.pass - counts.fail - counts.error - counts.skipped;
    const [status, reason] =
      unscored > 0 && blocked !== null
        ? (['blocked', blocked] as const)
        : counts.error > 0
          ? ([
              'partial',
              `${counts.error} items could not be scored. The first: ${await firstError(tx, runId, attempt)}`,
            ] as const)
          : (['done', null] as const);
    const scored = counts.pass + counts.fail;
    await tx
      .update(run)
      .set({
        scoringStatus: status,
        scoringReason: reason,
        counts: { ...current.counts, scored, passed: counts.pass, score_errors: counts.error },
        updatedAt: sql`now()`,
      })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      {
        level: status === 'done' ? 'info' : 'warning',
        code: `scoring_${status}`,
        message: reason ?? `${scored} of ${current.itemCount} items scored, ${counts.pass} passed.`,
        data: { attempt, ...counts, unscored },
      },
    ]);
  });
}

/** For a job that ended among the dead letters. */
export async function failScoring(store: Store, runId: string, attempt: number, reason: string): Promise<void> {
  await store.db.transaction(async (tx) => {
    if (!(await lockAttempt(tx, runId, attempt))) return;
    await tx
      .update(run)
      .set({ scoringStatus: 'failed', scoringReason: reason, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      { level: 'error', code: 'scoring_failed', message: `Scoring was given up: ${reason}`, data: { attempt } },
    ]);
  });
}

async function firstError(tx: Transaction, runId: string, attempt: number): Promise<string> {
  const [row] = await tx
    .select({ detail: score.detail })
    .from(score)
    .where(and(eq(score.runId, runId), eq(score.attempt, attempt), eq(score.verdict, 'error')))
    .orderBy(asc(score.id))
    .limit(1);
  return String(row?.detail['reason'] ?? '');
}
