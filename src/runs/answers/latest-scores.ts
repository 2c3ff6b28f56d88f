/** One row an item, of its latest attempt, as a part of other queries: the database picks them, and only sums or pairs travel. */
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../store/index.ts';
import type { ScoreGroup } from './summarise.ts';

export function latestScoresOf(runId: string): SQL {
  return sql`select distinct on (dataset_item_id) dataset_item_id as id, attempt, value, verdict
    from score where run_id = ${runId} order by dataset_item_id, attempt desc, id desc`;
}

/** How often each verdict stands in each section, sections in the order in which they first come. */
export async function scoreGroups(db: Queryable, runId: string): Promise<ScoreGroup[]> {
  const { rows } = await db.execute<{ section: string; verdict: ScoreGroup['verdict']; items: number; value: number }>(
    sql`with latest as (${latestScoresOf(runId)})
      select coalesce(run_item.item ->> 'section', '') as section, latest.verdict,
        count(*)::int as items, coalesce(sum(latest.value), 0)::float8 as value
      from run_item left join latest on latest.id = run_item.dataset_item_id
      where run_item.run_id = ${runId}
      group by 1, 2 order by min(min(run_item.seq)) over (partition by coalesce(run_item.item ->> 'section', ''))`,
  );
  return rows;
}
