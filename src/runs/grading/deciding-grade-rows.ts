/** The deciding grade of each cell, as a part of other queries: the database picks them, and only sums or pairs travel. */
import { inArray, type SQL, sql } from 'drizzle-orm';
import { DECIDING_GRADERS } from '../../cases/index.ts';
import { type Queryable, schema } from '../../store/index.ts';
import type { GradeGroup } from './summarise.ts';

/** A condition on rows of the table `grade`: the rule of `isDeciding`. */
export const isDecidingRow: SQL = inArray(schema.grade.grader, [...DECIDING_GRADERS]);

/** The rule of `decidingGrade`. */
export function decidingGradesOf(runId: string): SQL {
  return sql`select distinct on (case_id, trial) case_id as id, trial, grader, round, score, verdict
    from grade where run_id = ${runId} and ${isDecidingRow} order by case_id, trial, round desc, id desc`;
}

/** How often each verdict stands in each section, sections in the order in which they first come. */
export async function gradeGroups(db: Queryable, runId: string): Promise<GradeGroup[]> {
  const { rows } = await db.execute<{ section: string; verdict: GradeGroup['verdict']; items: number; value: number }>(
    sql`with deciding as (${decidingGradesOf(runId)})
      select coalesce(cell.snapshot ->> 'section', '') as section, deciding.verdict,
        count(*)::int as items, coalesce(sum(deciding.score), 0)::float8 as value
      from cell left join deciding on deciding.id = cell.case_id and deciding.trial = cell.trial
      where cell.run_id = ${runId}
      group by 1, 2 order by min(min(cell.seq)) over (partition by coalesce(cell.snapshot ->> 'section', ''))`,
  );
  return rows;
}
