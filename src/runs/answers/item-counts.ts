/** How far a run is, by the status of its items. */
import { eq, sql } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';

const { runItem } = schema;

export interface ItemCounts {
  expected: number;
  answered: number;
  errored: number;
  missing: number;
  pending: number;
}

export async function countItems(db: Queryable, runId: string): Promise<ItemCounts> {
  const rows = await db
    .select({ status: runItem.status, items: sql<number>`count(*)::int` })
    .from(runItem)
    .where(eq(runItem.runId, runId))
    .groupBy(runItem.status);
  const of = (status: (typeof rows)[number]['status']) => rows.find((row) => row.status === status)?.items ?? 0;
  return {
    expected: rows.reduce((sum, { items }) => sum + items, 0),
    answered: of('answered'),
    errored: of('error'),
    missing: of('missing'),
    pending: of('pending'),
  };
}

/** Pending is the rest: it is not kept in the run. */
export function kept({ expected, answered, errored, missing }: ItemCounts): Record<string, number> {
  return { expected, answered, errored, missing };
}
