/** A page of a run's cells: what was asked, the attempt that counts, and every grade. Journals are not read. */
import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';
import { runRow } from './list-runs.ts';

const { attempt, cell, grade } = schema;

export interface CellsPage {
  limit: number;
  /** The number that the last page ended with. */
  after: number;
  state?: readonly (typeof schema.CELL_STATES)[number][] | undefined;
  result?: (typeof schema.ATTEMPT_RESULTS)[number] | undefined;
}

const attemptFields = {
  caseId: attempt.caseId,
  attempt: attempt.attempt,
  answer: attempt.answer,
  errorCode: attempt.errorCode,
  errorMessage: attempt.errorMessage,
  modelLabel: attempt.modelLabel,
  startedAt: attempt.startedAt,
  finishedAt: attempt.finishedAt,
  latencyMs: attempt.latencyMs,
  inputTokens: attempt.inputTokens,
  outputTokens: attempt.outputTokens,
  costUsd: attempt.costUsd,
};

export type ListedCell = Awaited<ReturnType<typeof listCells>>[number];
export type ListedAttempt = { [K in keyof typeof attemptFields]: (typeof attempt.$inferSelect)[K] };
export type GradeRecord = typeof grade.$inferSelect;

export async function listCells(db: Queryable, runId: string, page: CellsPage) {
  const { id } = await runRow(db, runId);
  const cells = await db
    .select()
    .from(cell)
    .where(
      and(
        eq(cell.runId, id),
        gt(cell.seq, page.after),
        page.state === undefined ? undefined : inArray(cell.state, [...page.state]),
        page.result === undefined ? undefined : eq(cell.result, page.result),
      ),
    )
    .orderBy(asc(cell.seq))
    .limit(page.limit);
  const ids = cells.map(({ caseId }) => caseId);
  const [attempts, grades] = await Promise.all([attemptsOf(db, id, ids), gradesOf(db, id, ids)]);
  return cells.map((one) => ({
    cell: one,
    /** While a cell waits to be asked again, no attempt stands for it. */
    attempt: one.state === 'finished' ? (attempts.get(`${one.counted} ${one.caseId}`) ?? null) : null,
    /** Of all graders, oldest first. */
    grades: grades.get(one.caseId) ?? [],
  }));
}

async function attemptsOf(db: Queryable, runId: string, ids: readonly string[]): Promise<Map<string, ListedAttempt>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select(attemptFields)
    .from(attempt)
    .where(and(eq(attempt.runId, runId), inArray(attempt.caseId, [...ids])));
  return new Map(rows.map((row) => [`${row.attempt} ${row.caseId}`, row]));
}

async function gradesOf(db: Queryable, runId: string, ids: readonly string[]): Promise<Map<string, GradeRecord[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(grade)
    .where(and(eq(grade.runId, runId), inArray(grade.caseId, [...ids])))
    .orderBy(asc(grade.round), asc(grade.id));
  return Map.groupBy(rows, ({ caseId }) => caseId);
}
