/** The graders of a stored run side by side. The same fold as in the reports, over rows that the database picks. */
import { type SQL, sql } from 'drizzle-orm';
import { isDeciding } from '../../cases/index.ts';
import type { Grade } from '../../events/index.ts';
import type { Queryable } from '../../store/index.ts';
import { type GradedAttempt, GraderFold, type GraderSummary, gradeView } from '../../view/index.ts';
import { isDecidingRow } from '../grading/deciding-grade-rows.ts';
import { NOT_SCORED } from '../question-result.ts';

/** Empty where no further grader has graded an item. */
export async function graderSummaries(db: Queryable, runId: string): Promise<GraderSummary[]> {
  // As one value: taking thousands of rows from the protocol costs more than the query.
  const { rows } = await db.execute<{ cells: CellGrades[] | null }>(sql`
    select json_agg(grades) as cells from (
      select json_agg(row_to_json(one) order by one.id) as grades
      from (
        select id, case_id, trial, grader, verdict, score, model, cost from grade where id in (${latestOfGraders(runId)})
      ) one
      where exists (select 1 from grade where run_id = ${runId} and not ${isDecidingRow})
      group by one.case_id, one.trial
    ) cells`);
  const fold = new GraderFold();
  for (const grades of rows[0]?.cells ?? []) fold.add(gradedCell(grades));
  return fold.summary() ?? [];
}

type CellGrades = readonly (Pick<Grade, 'grader' | 'verdict' | 'score'> & {
  model: string | null;
  cost: Grade['cost'] | null;
})[];

function gradedCell(grades: CellGrades): GradedAttempt {
  const views = grades.map(({ grader, verdict, score, model, cost }) =>
    gradeView({ grader, verdict, score, ...(model === null ? {} : { model }), ...(cost ? { cost } : {}) }),
  );
  const { reason, ...none } = NOT_SCORED;
  const deciding = views.find(({ grader }) => isDeciding(grader)) ?? { ...none, reasoning: reason };
  return { decidedBy: deciding.grader, grades: [deciding, ...views.filter(({ grader }) => !isDeciding(grader))] };
}

/**
 * Ids of the latest grade of each item by each grader. The deciding graders of an item are one: a judge that was asked later replaces a checker.
 * What a further grader said of an answer that does not count any more is left out.
 */
export function latestOfGraders(runId: string): SQL {
  // Named inside: the same expression with parameters, written twice, is not the same to the database.
  return sql`select distinct on (case_id, trial, name) id
    from (
      select grade.id, case_id, trial, round, case when ${isDecidingRow} then '' else grader end as name
      from grade join cell using (run_id, case_id, trial)
      where run_id = ${runId} and (${isDecidingRow} or grade.attempt = cell.counted)
    ) named
    order by case_id, trial, name, round desc, id desc`;
}
