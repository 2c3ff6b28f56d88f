/** The latest grade of each cell, as a part of other queries: the database picks them, and only sums or pairs travel. */
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../store/index.ts';
import type { GradeGroup } from './summarise.ts';

export function latestGradesOf(runId: string): SQL {
  return sql`select distinct on (case_id, trial) case_id as id, trial, round, score, verdict
    from grade where run_id = ${runId} order by case_id, trial, round desc, id desc`;
}

/** How often each verdict stands in each section, sections in the order in which they first come. */
export async function gradeGroups(db: Queryable, runId: string): Promise<GradeGroup[]> {
  const { rows } = await db.execute<{ section: string; verdict: GradeGroup['verdict']; items: number; value: number }>(
    sql`with latest as (${latestGradesOf(runId)})
      select coalesce(cell.snapshot ->> 'section', '') as section, latest.verdict,
        count(*)::int as items, coalesce(sum(latest.score), 0)::float8 as value
      from cell left join latest on latest.id = cell.case_id and latest.trial = cell.trial
      where cell.run_id = ${runId}
      group by 1, 2 order by min(min(cell.seq)) over (partition by coalesce(cell.snapshot ->> 'section', ''))`,
  );
  return rows;
}
