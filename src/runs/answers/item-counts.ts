/** How far a run of questions is, by its cells, and what its attempts have used. */
import { eq, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type Queryable, schema } from '../../store/index.ts';

const { attempt, cell } = schema;

export interface ItemCounts {
  expected: number;
  answered: number;
  errored: number;
  missing: number;
  pending: number;
}

export async function countItems(db: Queryable, runId: string): Promise<ItemCounts> {
  const rows = await db
    .select({ state: cell.state, result: cell.result, items: sql<number>`count(*)::int` })
    .from(cell)
    .where(eq(cell.runId, runId))
    .groupBy(cell.state, cell.result);
  const count = (is: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(is).reduce((sum, { items }) => sum + items, 0);
  return {
    expected: count(() => true),
    answered: count(({ state, result }) => state === 'finished' && result === 'answered'),
    errored: count(({ state, result }) => state === 'finished' && result !== 'answered'),
    missing: count(({ state }) => state === 'missing'),
    pending: count(({ state }) => state === 'pending' || state === 'running'),
  };
}

/** Pending is the rest: it is not kept in the run. */
export function kept({ expected, answered, errored, missing }: ItemCounts): Record<string, number> {
  return { expected, answered, errored, missing };
}

/**
 * Over all attempts: one that was replaced by a later one was paid for too. A sum is not known where one of the answers does not say its part;
 * a call that came to an error said nothing.
 */
export async function sumUsage(db: Queryable, runId: string) {
  const sumOf = (column: AnyPgColumn): SQL =>
    sql`case when bool_or(${attempt.result} = 'answered' and ${column} is null) then null else sum(${column}) end`;
  const [sums] = await db
    .select({
      inputTokens: sql<number | null>`(${sumOf(attempt.inputTokens)})::int8`,
      outputTokens: sql<number | null>`(${sumOf(attempt.outputTokens)})::int8`,
      costUsd: sql<number | null>`${sumOf(attempt.costUsd)}`,
    })
    .from(attempt)
    .where(eq(attempt.runId, runId));
  return sums ?? { inputTokens: null, outputTokens: null, costUsd: null };
}
