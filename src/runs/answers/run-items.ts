/** A run's items with what was asked, what came back, and every score that they were given. */
import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { type Queryable, schema } from '../../store/index.ts';
import { runRow } from './run-rows.ts';

const { runItem, score } = schema;

export interface ItemsPage {
  limit: number;
  after: number;
  status?: (typeof schema.RUN_ITEM_STATUSES)[number] | undefined;
}

export async function listRunItems(db: Queryable, runId: string, page: ItemsPage) {
  await runRow(db, runId);
  const rows = await db
    .select()
    .from(runItem)
    .where(
      and(
        eq(runItem.runId, runId),
        gt(runItem.seq, page.after),
        page.status === undefined ? undefined : eq(runItem.status, page.status),
      ),
    )
    .orderBy(asc(runItem.seq))
    .limit(page.limit);
  const scores = await scoresOf(
    db,
    runId,
    rows.map(({ datasetItemId }) => datasetItemId),
  );
  return rows.map((row) => ({
    id: row.datasetItemId,
    seq: row.seq,
    section: String(row.item['section'] ?? ''),
    type: String(row.item['type'] ?? ''),
    status: row.status,
    prompt_text: row.promptText,
    response: row.response,
    error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
    model_label: row.modelLabel,
    timing: {
      started_at: row.startedAt?.toISOString() ?? null,
      finished_at: row.finishedAt?.toISOString() ?? null,
      latency_ms: row.latencyMs,
    },
    /** Oldest first: the last one counts. */
    scores: scores.get(row.datasetItemId) ?? [],
  }));
}

type Score = ReturnType<typeof scoreOf>;

async function scoresOf(db: Queryable, runId: string, ids: readonly string[]): Promise<Map<string, Score[]>> {
  const byItem = new Map<string, Score[]>();
  if (ids.length === 0) return byItem;
  const rows = await db
    .select()
    .from(score)
    .where(and(eq(score.runId, runId), inArray(score.datasetItemId, [...ids])))
    .orderBy(asc(score.attempt), asc(score.id));
  for (const row of rows) {
    const known = byItem.get(row.datasetItemId);
    if (known) known.push(scoreOf(row));
    else byItem.set(row.datasetItemId, [scoreOf(row)]);
  }
  return byItem;
}

function scoreOf(row: typeof score.$inferSelect) {
  const { attempt, method, value, verdict, detail, judge } = row;
  return { attempt, method, value, verdict, detail, judge, created_at: row.createdAt.toISOString() };
}
