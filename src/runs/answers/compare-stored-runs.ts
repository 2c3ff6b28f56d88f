/** Two runs of the store, item by item. */
import { type SQL, sql } from 'drizzle-orm';
import type { ScoreVerdict } from '../../graders/index.ts';
import { seededRandom } from '../../metrics/index.ts';
import type { Queryable } from '../../store/index.ts';
import { compareRuns, type RunComparison } from './compare-runs.ts';
import { latestScoresOf } from './latest-scores.ts';
import { runRow } from './run-rows.ts';
import type { ScoreRow } from './scores.ts';

export async function compareStoredRuns(db: Queryable, idA: string, idB: string): Promise<RunComparison> {
  const [a, b] = [await comparedRun(db, idA), await comparedRun(db, idB)];
  const pairs = await scorePairs(db, a.id, b.id);
  const scores = (side: 'a' | 'b') => pairs.flatMap((pair) => scoreOf(pair, side));
  const ids = pairs.map(({ id }) => id);
  // A fixed seed: the same two runs give the same interval every time that they are looked at.
  return compareRuns({ ...a, scores: scores('a') }, { ...b, scores: scores('b') }, ids, seededRandom(1));
}

async function comparedRun(db: Queryable, id: string) {
  const row = await runRow(db, id);
  return { id: row.id, dataset_id: row.datasetId, version_hash: row.datasetVersionHash };
}

type Side = 'a' | 'b';
type Pair = { id: string } & { [key in `attempt_${Side}`]: number | null } & {
  [key in `value_${Side}`]: number | null;
} & { [key in `verdict_${Side}`]: ScoreVerdict | null };

/** Every item of either run with what it was given in both. */
async function scorePairs(db: Queryable, a: string, b: string): Promise<Pair[]> {
  const { rows } = await db.execute<Pair>(sql`
    select coalesce(a.id, b.id) as id, a.attempt as attempt_a, a.value as value_a, a.verdict as verdict_a,
      b.attempt as attempt_b, b.value as value_b, b.verdict as verdict_b
    from (${itemsOf(a)}) a full join (${itemsOf(b)}) b on b.id = a.id
    order by least(a.seq, b.seq), 1`);
  return rows;
}

function itemsOf(runId: string): SQL {
  return sql`select run_item.dataset_item_id as id, run_item.seq, latest.attempt, latest.value, latest.verdict
    from run_item left join (${latestScoresOf(runId)}) latest on latest.id = run_item.dataset_item_id
    where run_item.run_id = ${runId}`;
}

function scoreOf(pair: Pair, side: Side): ScoreRow[] {
  const [attempt, verdict] = [pair[`attempt_${side}`], pair[`verdict_${side}`]];
  if (attempt === null || verdict === null) return [];
  return [{ item_id: pair.id, attempt, value: pair[`value_${side}`], verdict }];
}
