/** The grades of a run, of all graders, each beside the verdict that decides about its item. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { WaymarkError } from '../../errors/index.ts';
import { type Queryable, schema } from '../../store/index.ts';
import { decidingGradesOf } from '../grading/deciding-grade-rows.ts';
import { latestOfGraders } from './grader-summaries.ts';
import type { GradeRecord } from './list-cells.ts';
import { runRow } from './list-runs.ts';

const { grade } = schema;

export interface GradesPage {
  limit: number;
  /** The number that the last page ended with. */
  after: number;
  caseId?: string | undefined;
  grader?: string | undefined;
  verdict?: (typeof schema.VERDICTS)[number] | undefined;
  /** Only the latest grade of each grader and item, where both it and the deciding one are a pass or a failure, and not the same. */
  differs?: boolean | undefined;
}

export interface ListedGrade {
  readonly grade: GradeRecord;
  /** Undefined where no deciding grader has spoken. */
  readonly deciding: { readonly grader: string; readonly verdict: GradeRecord['verdict'] } | undefined;
}

type Found = { id: number; grader: string | null; verdict: GradeRecord['verdict'] | null };

/** Oldest first. */
export async function listGrades(db: Queryable, runId: string, page: GradesPage): Promise<ListedGrade[]> {
  await runRow(db, runId);
  const { rows: found } = await db.execute<Found>(sql`
    select grade.id, deciding.grader, deciding.verdict
    from grade left join (${decidingGradesOf(runId)}) deciding on deciding.id = grade.case_id and deciding.trial = grade.trial
    where ${and(...conditions(runId, page))}
    order by grade.id limit ${page.limit}`);
  if (found.length === 0) return [];
  const records = await db
    .select()
    .from(grade)
    .where(
      inArray(
        grade.id,
        found.map(({ id }) => Number(id)),
      ),
    );
  const byId = new Map(records.map((record) => [record.id, record]));
  return found.flatMap(({ id, grader, verdict }) => {
    const record = byId.get(Number(id));
    return record ? [{ grade: record, deciding: grader && verdict ? { grader, verdict } : undefined }] : [];
  });
}

function conditions(runId: string, { after, caseId, grader, verdict, differs }: GradesPage): (SQL | undefined)[] {
  return [
    sql`grade.run_id = ${runId} and grade.id > ${after}`,
    caseId === undefined ? undefined : eq(grade.caseId, caseId),
    grader === undefined ? undefined : eq(grade.grader, grader),
    verdict === undefined ? undefined : sql`grade.verdict = ${verdict}`,
    differs
      ? sql`grade.verdict in ('pass', 'fail') and deciding.verdict in ('pass', 'fail') and grade.verdict <> deciding.verdict
          and grade.id in (${latestOfGraders(runId)})`
      : undefined,
  ];
}

export async function getGrade(db: Queryable, runId: string, id: number): Promise<GradeRecord> {
  const { id: run } = await runRow(db, runId);
  const [record] = await db
    .select()
    .from(grade)
    .where(and(eq(grade.runId, run), eq(grade.id, id)));
  if (record) return record;
  throw new WaymarkError({ code: 'grading_not_found', message: `The run has no grade ${id}.` });
}
