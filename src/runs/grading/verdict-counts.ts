/** How often each verdict was given in one attempt. */
import { and, eq, sql } from 'drizzle-orm';
import type { ScoreVerdict } from '../../graders/index.ts';
import { type Queryable, schema } from '../../store/index.ts';

const { score } = schema;

export async function verdictCounts(db: Queryable, runId: string, attempt: number) {
  const counts: Record<ScoreVerdict, number> = { pass: 0, fail: 0, error: 0, skipped: 0 };
  const rows = await db
    .select({ verdict: score.verdict, items: sql<number>`count(*)::int` })
    .from(score)
    .where(and(eq(score.runId, runId), eq(score.attempt, attempt)))
    .groupBy(score.verdict);
  for (const { verdict, items } of rows) counts[verdict] = items;
  return counts;
}
