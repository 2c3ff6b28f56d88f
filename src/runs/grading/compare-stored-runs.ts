/** Two runs of the store, item by item. */
import { type SQL, sql } from 'drizzle-orm';
import type { ScoreVerdict } from '../../graders/index.ts';
import { seededRandom } from '../../metrics/index.ts';
import type { Queryable } from '../../store/index.ts';
import { runRow } from '../database/list-runs.ts';
import { compareRuns, type RunComparison } from './compare-runs.ts';
import { decidingGradesOf } from './deciding-grade-rows.ts';
import type { GradeRow } from './deciding-grades.ts';

export async function compareStoredRuns(db: Queryable, idA: string, idB: string): Promise<RunComparison> {
  const [a, b] = [await comparedRun(db, idA), await comparedRun(db, idB)];
  const pairs = await gradePairs(db, a.id, b.id);
  const grades = (side: 'a' | 'b') => pairs.flatMap((pair) => gradeOf(pair, side));
  const ids = pairs.map(({ id }) => id);
  // A fixed seed: the same two runs give the same interval every time that they are looked at.
  return compareRuns({ ...a, grades: grades('a') }, { ...b, grades: grades('b') }, ids, seededRandom(1));
}

async function comparedRun(db: Queryable, id: string) {
  const row = await runRow(db, id);
  return { id: row.id, dataset_id: row.datasetId ?? '', version_hash: row.datasetVersionHash };
}

type Side = 'a' | 'b';
type Pair = { id: string } & { [key in `round_${Side}`]: number | null } & {
  [key in `grader_${Side}`]: string | null;
} & {
  [key in `score_${Side}`]: number | null;
} & { [key in `verdict_${Side}`]: ScoreVerdict | null };

/** Every case of either run with what it was given in both. */
async function gradePairs(db: Queryable, a: string, b: string): Promise<Pair[]> {
  const { rows } = await db.execute<Pair>(sql`
    select coalesce(a.id, b.id) as id, a.grader as grader_a, a.round as round_a, a.score as score_a, a.verdict as verdict_a,
      b.grader as grader_b, b.round as round_b, b.score as score_b, b.verdict as verdict_b
    from (${casesOf(a)}) a full join (${casesOf(b)}) b on b.id = a.id
    order by least(a.seq, b.seq), 1`);
  return rows;
}

function casesOf(runId: string): SQL {
  return sql`select cell.case_id as id, cell.seq, deciding.grader, deciding.round, deciding.score, deciding.verdict
    from cell left join (${decidingGradesOf(runId)}) deciding on deciding.id = cell.case_id and deciding.trial = cell.trial
    where cell.run_id = ${runId}`;
}

function gradeOf(pair: Pair, side: Side): GradeRow[] {
  const [grader, round, verdict] = [pair[`grader_${side}`], pair[`round_${side}`], pair[`verdict_${side}`]];
  if (grader === null || round === null || verdict === null) return [];
  return [{ caseId: pair.id, grader, round, score: pair[`score_${side}`], verdict }];
}
