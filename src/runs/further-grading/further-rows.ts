/** The rows of further gradings: asked for, begun, told of, ended. */
import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm';
import { nameOfSpec } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { GradeVerdict } from '../../events/index.ts';
import {
  appendRunLog,
  isUuid,
  type Queryable,
  type RunLogLine,
  type Store,
  schema,
  type Transaction,
} from '../../store/index.ts';
import { runRow } from '../database/list-runs.ts';
import { type FurtherRequest, furtherRequestSchema } from './further-request.ts';

const { furtherGrading, grade, run } = schema;

type Row = typeof furtherGrading.$inferSelect;

/** What a grading has given until now. Grades that were the same as before were not given again. */
export interface FurtherCounts {
  readonly verdicts: Readonly<Record<GradeVerdict, number>>;
  readonly calls: number;
  /** US dollars, of the grades that know their cost. */
  readonly usd: number;
}

export interface ListedGrading extends Omit<Row, 'request'> {
  readonly request: FurtherRequest;
  readonly counts: FurtherCounts;
}

/** Oldest first. */
export async function listFurther(db: Queryable, runId: string): Promise<ListedGrading[]> {
  await runRow(db, runId);
  const rows = await db
    .select()
    .from(furtherGrading)
    .where(eq(furtherGrading.runId, runId))
    .orderBy(asc(furtherGrading.createdAt), asc(furtherGrading.id));
  return await Promise.all(rows.map((row) => listed(db, row)));
}

export async function getFurther(db: Queryable, runId: string, id: string): Promise<ListedGrading> {
  const [row] = isUuid(runId) && isUuid(id) ? await db.select().from(furtherGrading).where(isOf(runId, id)) : [];
  if (row) return await listed(db, row);
  throw new WaymarkError({ code: 'grading_not_found', message: `The run has no grading ${id.slice(0, 100)}.` });
}

export interface BegunGrading extends ListedGrading {
  readonly startedAt: Date;
  /** An earlier worker was interrupted: what it gave stays. */
  readonly isResumed: boolean;
}

/** @returns undefined where it has ended, or is gone with its run. */
export async function beginFurther(store: Store, id: string, now: Date): Promise<BegunGrading | undefined> {
  return await store.db.transaction(async (tx) => {
    const row = await lockOpen(tx, id);
    if (!row) return undefined;
    const isResumed = row.status === 'running';
    const startedAt = isResumed ? (row.startedAt ?? now) : now;
    await tx.update(furtherGrading).set({ status: 'running', startedAt }).where(eq(furtherGrading.id, id));
    const grading = await listed(tx, { ...row, startedAt });
    await tell(store, tx, grading, {
      level: isResumed ? 'warning' : 'info',
      code: isResumed ? 'grading_resumed' : 'grading_started',
      message: isResumed ? 'Grading was interrupted, and goes on.' : `Grading by ${namesOf(grading)} began.`,
    });
    return { ...grading, startedAt, isResumed };
  });
}

/** At most so often as a reader is helped by it. */
export async function tellFurther(store: Store, grading: ListedGrading): Promise<void> {
  const counts = await countsOf(store.db, grading);
  const message = `${totalOf(counts)} grades given by ${namesOf(grading)}.`;
  await store.db.transaction((tx) => tell(store, tx, grading, { level: 'info', code: 'grading_progress', message }));
}

export async function endFurther(store: Store, id: string, now: Date, failed?: string): Promise<void> {
  await store.db.transaction(async (tx) => {
    const row = await lockOpen(tx, id);
    if (!row) return;
    const [status, reason] = failed === undefined ? (['done', null] as const) : (['failed', failed] as const);
    await tx.update(furtherGrading).set({ status, reason, finishedAt: now }).where(eq(furtherGrading.id, id));
    const grading = await listed(tx, row);
    const { verdicts, calls, usd } = grading.counts;
    await tell(store, tx, grading, {
      level: failed === undefined && verdicts.error === 0 ? 'info' : 'warning',
      code: `grading_${status}`,
      message:
        failed === undefined
          ? `${totalOf(grading.counts)} grades given by ${namesOf(grading)}: ${verdicts.pass} pass, ${verdicts.fail} fail, ${verdicts.error} errors.`
          : `Grading was given up: ${failed}`,
      data: { ...verdicts, calls, usd },
    });
  });
}

export function namesOf({ request }: Pick<ListedGrading, 'request'>): string {
  return request.graders.map(nameOfSpec).join(' and ');
}

async function lockOpen(tx: Transaction, id: string): Promise<Row | undefined> {
  // The run first, as who asks for a grading does: in the other order, each of two transactions would wait for the other.
  const ofGrading = tx.select({ id: furtherGrading.runId }).from(furtherGrading).where(eq(furtherGrading.id, id));
  await tx.select({ id: run.id }).from(run).where(inArray(run.id, ofGrading)).for('update');
  const [row] = await tx.select().from(furtherGrading).where(eq(furtherGrading.id, id)).for('update');
  return row?.status === 'queued' || row?.status === 'running' ? row : undefined;
}

async function tell(store: Store, tx: Transaction, { id, runId }: ListedGrading, line: RunLogLine): Promise<void> {
  await appendRunLog(store, tx, runId, [{ ...line, data: { ...line.data, grading_id: id } }]);
}

async function listed(db: Queryable, { request, ...row }: Row): Promise<ListedGrading> {
  const asked = furtherRequestSchema.parse(request);
  return { ...row, request: asked, counts: await countsOf(db, { ...row, request: asked }) };
}

/** From the grades themselves, so that they are right whatever was interrupted. */
async function countsOf(db: Queryable, grading: Omit<ListedGrading, 'counts'>): Promise<FurtherCounts> {
  const verdicts = { pass: 0, fail: 0, error: 0, skipped: 0 };
  const { runId, request, startedAt, finishedAt } = grading;
  if (startedAt === null) return { verdicts, calls: 0, usd: 0 };
  const rows = await db
    .select({
      verdict: grade.verdict,
      grades: sql<number>`count(*)::int`,
      calls: sql<number>`coalesce(sum((${grade.cost} ->> 'calls')::int), 0)::int`,
      usd: sql<number>`coalesce(sum((${grade.cost} ->> 'usd')::float8), 0)::float8`,
    })
    .from(grade)
    .where(
      and(
        eq(grade.runId, runId),
        inArray(grade.grader, request.graders.map(nameOfSpec)),
        gte(grade.createdAt, startedAt),
        finishedAt ? sql`${grade.createdAt} <= ${finishedAt.toISOString()}` : undefined,
      ),
    )
    .groupBy(grade.verdict);
  let [calls, usd] = [0, 0];
  for (const row of rows) {
    verdicts[row.verdict] = row.grades;
    calls += row.calls;
    usd += row.usd;
  }
  return { verdicts, calls, usd };
}

const totalOf = ({ verdicts }: FurtherCounts) => verdicts.pass + verdicts.fail + verdicts.error + verdicts.skipped;
const isOf = (runId: string, id: string) => and(eq(furtherGrading.runId, runId), eq(furtherGrading.id, id));
