/** What the grading worker reads and writes. The codes and words of its log lines are those of the wire, which says "scoring". */
import { and, asc, eq, sql } from 'drizzle-orm';
import { appendRunLog, insertRows, type Store, schema, type Transaction } from '../../store/index.ts';
import { isDecidingRow } from './deciding-grade-rows.ts';
import type { NewGrade } from './pending-item.ts';
import { verdictCounts } from './verdict-counts.ts';

const { grade, run } = schema;

/** @returns undefined when this round is not the run's any more, or has ended. */
export async function beginGrading(store: Store, runId: string, round: number) {
  return await store.db.transaction(async (tx) => {
    const current = await lockRound(tx, runId, round);
    if (!current) return undefined;
    const done = await tx.$count(grade, and(eq(grade.runId, runId), eq(grade.round, round), isDecidingRow));
    await tx.update(run).set({ gradingStatus: 'running', updatedAt: sql`now()` }).where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      current.gradingStatus === 'queued'
        ? { level: 'info', code: 'scoring_started', message: 'Scoring began.', data: { attempt: round } }
        : {
            level: 'warning',
            code: 'scoring_resumed',
            message: `Scoring was interrupted, and goes on after ${done} of ${current.itemCount} items.`,
            data: { attempt: round, done },
          },
    ]);
    return current;
  });
}

async function lockRound(tx: Transaction, runId: string, round: number) {
  const [current] = await tx.select().from(run).where(eq(run.id, runId)).for('update');
  const isOurs = current?.gradingRound === round && ['queued', 'running'].includes(current.gradingStatus);
  return isOurs ? current : undefined;
}

/** A row that is there already stays as it is: another worker was quicker. */
export async function writeGrades(
  store: Store,
  runId: string,
  round: number,
  grades: readonly NewGrade[],
): Promise<void> {
  if (grades.length === 0) return;
  await store.db.transaction(async (tx) => {
    const written = await insertRows(
      tx,
      grade,
      grades.map(({ id, attempt: graded, method, value, verdict, detail, judge }) => ({
        runId,
        caseId: id,
        trial: 1,
        attempt: graded,
        round,
        grader: method,
        score: value,
        verdict,
        details: { ...detail },
        judge: judge && { ...judge },
      })),
      { skipKnown: true },
    );
    const failed = grades.filter(({ verdict }) => verdict === 'error');
    await appendRunLog(store, tx, runId, [
      {
        level: 'info',
        code: 'items_scored',
        message: `${written} ${written === 1 ? 'item' : 'items'} scored.`,
        data: { attempt: round, items: written },
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

export async function finishGrading(store: Store, runId: string, round: number, blocked: string | null) {
  await store.db.transaction(async (tx) => {
    const current = await lockRound(tx, runId, round);
    if (!current) return;
    const counts = await verdictCounts(tx, runId, round);
    const unscored = current.itemCount - counts.pass - counts.fail - counts.error - counts.skipped;
    const [status, reason] =
      unscored > 0 && blocked !== null
        ? (['blocked', blocked] as const)
        : counts.error > 0
          ? ([
              'partial',
              `${counts.error} items could not be scored. The first: ${await firstError(tx, runId, round)}`,
            ] as const)
          : (['done', null] as const);
    const scored = counts.pass + counts.fail;
    await tx
      .update(run)
      .set({
        gradingStatus: status,
        gradingReason: reason,
        counts: { ...current.counts, scored, passed: counts.pass, score_errors: counts.error },
        updatedAt: sql`now()`,
      })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      {
        level: status === 'done' ? 'info' : 'warning',
        code: `scoring_${status}`,
        message: reason ?? `${scored} of ${current.itemCount} items scored, ${counts.pass} passed.`,
        data: { attempt: round, ...counts, unscored },
      },
    ]);
  });
}

/** For a job that ended among the dead letters. */
export async function failGrading(store: Store, runId: string, round: number, reason: string): Promise<void> {
  await store.db.transaction(async (tx) => {
    if (!(await lockRound(tx, runId, round))) return;
    await tx
      .update(run)
      .set({ gradingStatus: 'failed', gradingReason: reason, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      { level: 'error', code: 'scoring_failed', message: `Scoring was given up: ${reason}`, data: { attempt: round } },
    ]);
  });
}

async function firstError(tx: Transaction, runId: string, round: number): Promise<string> {
  const [row] = await tx
    .select({ details: grade.details })
    .from(grade)
    .where(and(eq(grade.runId, runId), eq(grade.round, round), eq(grade.verdict, 'error'), isDecidingRow))
    .orderBy(asc(grade.id))
    .limit(1);
  return String(row?.details['reason'] ?? '');
}
