/**
 * `runs.score`: every item of a run gets its row for one attempt, a few at a time. Rows are the checkpoints: whoever takes up a killed
 * worker's job asks only for the items that have none, and the database refuses a second row for an item and attempt.
 */
import { z } from 'zod';
import type { CallContext, CallLimits, ProviderSlots } from '../../models/index.ts';
import { systemContext } from '../../models/index.ts';
import type { Job, Store } from '../../store/index.ts';
import { judgeOfRun, type RunJudge } from './judge-of-run.ts';
import type { NewScore, PendingItem } from './pending-item.ts';
import { judgePending, scoreItem } from './score-item.ts';
import { beginScoring, finishScoring, nextItems, writeScores } from './score-rows.ts';

export interface ScoreOptions {
  store: Store;
  /** Throws when a judge's address may not be called. */
  assertUrl: CallContext['assertPublicUrl'];
  /** Calls to a judge at once, for one run. */
  judgeConcurrency?: number;
  /** Shared with whoever else calls the same providers. */
  slots?: ProviderSlots;
  limits?: Partial<CallLimits>;
}

const jobSchema = z.object({ run_id: z.uuid(), attempt: z.int().positive() });

/** Items that are looked at together: what a kill can cost is the checking of so many, never a row. */
const BATCH = 250;
const JUDGE_CONCURRENCY = 4;

export async function scoreRun(job: Pick<Job, 'data' | 'signal'>, options: ScoreOptions): Promise<void> {
  const { run_id: runId, attempt } = jobSchema.parse(job.data);
  const { store } = options;
  const run = await beginScoring(store, runId, attempt);
  // Deleted, finished before the kill, or overtaken by a later attempt.
  if (!run) return;
  const judge = await judgeOfRun(store.db, run);
  const context = systemContext(job.signal, options.assertUrl, options.limits ?? {});
  let after = 0;
  for (;;) {
    job.signal.throwIfAborted();
    const next = await nextItems(store.db, { runId, attempt, after, limit: BATCH });
    if (!next) break;
    after = next.last;
    await scoreBatch(next.pending, { runId, attempt, judge, context, ...options });
  }
  await finishScoring(store, runId, attempt, judge.status === 'blocked' ? judge.reason : null);
}

interface Batch extends ScoreOptions {
  runId: string;
  attempt: number;
  judge: RunJudge;
  context: CallContext;
}

/** Checked ones in one write; judged ones each as soon as its verdict is there, because it has cost a call. */
async function scoreBatch(items: readonly PendingItem[], batch: Batch): Promise<void> {
  const { store, runId, attempt, judge, context } = batch;
  const checked: NewScore[] = [];
  const toJudge: PendingItem[] = [];
  for (const pending of items) {
    const score = scoreItem(pending);
    if (score === 'judge') toJudge.push(pending);
    else checked.push(score);
  }
  await writeScores(store, runId, attempt, checked);
  // Left without a row: a later attempt, with a judge, finds them unscored.
  if (judge.status === 'blocked') return;
  const waiting = toJudge.values();
  const lanes = Array.from({ length: batch.judgeConcurrency ?? JUDGE_CONCURRENCY }, async () => {
    for (const pending of waiting) {
      const ask = () => judgePending(pending, judge.provider, context);
      const score = await (batch.slots?.use(judge.provider.id, context.signal, ask) ?? ask());
      await writeScores(store, runId, attempt, [score]);
    }
  });
  await settleAll(lanes);
}

/** No lane is left behind at work when another fails. */
async function settleAll(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
