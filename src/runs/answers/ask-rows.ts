/** What the asking worker reads and writes. Every write names the attempt: a worker that was overtaken changes nothing. */
import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Completion } from '../../models/index.ts';
import { appendRunLog, type Queryable, type RunLogLine, type Store, schema } from '../../store/index.ts';
import { countItems, type ItemCounts, kept } from './item-counts.ts';
import { lockAttempt } from './lock-attempt.ts';

const { run, runItem } = schema;

export async function beginAsking(store: Store, runId: string, attempt: number, now: Date) {
  return await store.db.transaction(async (tx) => {
    const row = await lockAttempt(tx, runId, attempt);
    if (!row) return undefined;
    const counts = await countItems(tx, runId);
    await tx
      .update(run)
      .set({ status: 'running', startedAt: row.startedAt ?? now, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, [
      row.status === 'queued'
        ? { level: 'info', code: 'run_started', message: `${counts.pending} items are being asked.`, data: { attempt } }
        : {
            level: 'warning',
            code: 'run_interrupted',
            message: `Asking was interrupted, and goes on: ${counts.pending} of ${counts.expected} items have no answer yet. Calls that were under way are made again.`,
            data: { attempt, pending: counts.pending },
          },
    ]);
    return { row, counts };
  });
}

export interface Question {
  id: string;
  seq: number;
  promptText: string;
}

const PAGE = 100;

/** Items without an answer, in their order; a few at a time, because prompts are long. */
export async function* questionsOf(db: Queryable, runId: string): AsyncGenerator<Question, void, undefined> {
  let after = 0;
  for (;;) {
    const page = await db
      .select({ id: runItem.datasetItemId, seq: runItem.seq, promptText: runItem.promptText })
      .from(runItem)
      .where(and(eq(runItem.runId, runId), eq(runItem.status, 'pending'), gt(runItem.seq, after)))
      .orderBy(asc(runItem.seq))
      .limit(PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

/** The checkpoint. @returns whether it was taken: not when the run was cancelled, or the item answered by another worker. */
export async function writeAnswer(
  db: Queryable,
  { runId, attempt, id }: { runId: string; attempt: number; id: string },
  completion: Completion,
  times: { startedAt: Date; finishedAt: Date },
): Promise<boolean> {
  const { status, response, error, model_label, latency_ms } = completion;
  const written = await db
    .update(runItem)
    .set({
      status,
      response: status === 'answered' ? response : response || null,
      errorCode: error?.code ?? null,
      errorMessage: error?.message ?? null,
      modelLabel: model_label,
      latencyMs: latency_ms === null ? null : Math.round(latency_ms),
      ...times,
    })
    .where(
      and(
        eq(runItem.runId, runId),
        eq(runItem.datasetItemId, id),
        eq(runItem.status, 'pending'),
        sql`exists (select 1 from ${run} where ${run.id} = ${runId} and ${run.launchAttempt} = ${attempt} and ${run.status} = 'running')`,
      ),
    )
    .returning({ id: runItem.datasetItemId });
  return written.length === 1;
}

/** Numbers for lists, and lines for whoever watches. */
export async function tellProgress(
  store: Store,
  runId: string,
  attempt: number,
  counts: ItemCounts,
  lines: readonly RunLogLine[],
): Promise<void> {
  await store.db.transaction(async (tx) => {
    const row = await lockAttempt(tx, runId, attempt);
    if (!row) return;
    await tx
      .update(run)
      .set({ counts: { ...row.counts, ...kept(counts) }, updatedAt: sql`now()` })
      .where(eq(run.id, runId));
    await appendRunLog(store, tx, runId, lines);
  });
}
