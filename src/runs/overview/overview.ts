/** What the first page of the web app shows: what ran last, what failed, how each dataset goes over time, and each model on each dataset. */
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';
import { type ListedRun, listRuns, selectRuns } from '../database/list-runs.ts';
import { filterRuns } from '../database/run-filter.ts';
import { orderOf } from '../database/run-order.ts';
import { latestOfModels, type ScoredRun, trendRuns } from './scored-runs.ts';

const { dataset, run } = schema;

const MOST_LISTED = 8;
/** What failed longer ago than so many runs is found in the list of runs, not here. */
const NEWEST_LOOKED_AT = 500;

export interface Overview {
  readonly latest: readonly ListedRun[];
  readonly failed: readonly ListedRun[];
  readonly totals: { readonly runs: number; readonly underWay: number; readonly datasets: number };
  /** The newest run first. */
  readonly trends: readonly ScoredRun[];
  readonly latestOfModels: readonly ScoredRun[];
}

export async function readOverview(db: Queryable): Promise<Overview> {
  return {
    latest: await listRuns(db, { limit: MOST_LISTED }),
    failed: await failedRuns(db),
    totals: {
      runs: await db.$count(run, filterRuns({})),
      underWay: await db.$count(run, and(filterRuns({}), inArray(run.status, ['queued', 'running']))),
      datasets: await db.$count(dataset),
    },
    trends: await trendRuns(db),
    latestOfModels: await latestOfModels(db),
  };
}

/** Runs that need attention: they failed, could not be scored, or ended with items that came to an error. */
async function failedRuns(db: Queryable): Promise<ListedRun[]> {
  const newest = db
    .select({ id: run.id })
    .from(run)
    .where(filterRuns({}))
    .orderBy(...orderOf({}))
    .limit(NEWEST_LOOKED_AT);
  const hasFailed = or(
    eq(run.status, 'failed'),
    inArray(run.gradingStatus, ['failed', 'blocked', 'partial']),
    and(eq(run.status, 'completed'), sql`(${run.counts} ->> 'errored')::int > 0`),
  );
  const where = and(inArray(run.id, newest), hasFailed);
  return await selectRuns(db, { where, orderBy: orderOf({}), limit: MOST_LISTED });
}
