/** Two runs of the store, item by item. */
import { asc, eq, or } from 'drizzle-orm';
import { seededRandom } from '../../metrics/index.ts';
import { type Queryable, schema } from '../../store/index.ts';
import { compareRuns, type RunComparison } from '../scoring/compare-runs.ts';
import { runRow, scoreRows } from './runs.ts';

const { runItem } = schema;

export async function compareStoredRuns(db: Queryable, idA: string, idB: string): Promise<RunComparison> {
  const [a, b] = [await comparedRun(db, idA), await comparedRun(db, idB)];
  const rows = await db
    .select({ id: runItem.datasetItemId })
    .from(runItem)
    .where(or(eq(runItem.runId, idA), eq(runItem.runId, idB)))
    .orderBy(asc(runItem.seq), asc(runItem.runId));
  const ids = [...new Set(rows.map(({ id }) => id))];
  // A fixed seed: the same two runs give the same interval every time that they are looked at.
  return compareRuns(a, b, ids, seededRandom(1));
}

async function comparedRun(db: Queryable, id: string) {
  const row = await runRow(db, id);
  const scores = await scoreRows(db, row.id);
  return { id: row.id, dataset_id: row.datasetId, version_hash: row.datasetVersionHash, scores };
}
