/** How often each verdict decided in one round. */
import { and, eq, sql } from 'drizzle-orm';
import type { ScoreVerdict } from '../../graders/index.ts';
import { type Queryable, schema } from '../../store/index.ts';
import { isDecidingRow } from './deciding-grade-rows.ts';

const { grade } = schema;

export async function verdictCounts(db: Queryable, runId: string, round: number) {
  const counts: Record<ScoreVerdict, number> = { pass: 0, fail: 0, error: 0, skipped: 0 };
  const rows = await db
    .select({ verdict: grade.verdict, items: sql<number>`count(*)::int` })
    .from(grade)
    .where(and(eq(grade.runId, runId), eq(grade.round, round), isDecidingRow))
    .groupBy(grade.verdict);
  for (const { verdict, items } of rows) counts[verdict] = items;
  return counts;
}
