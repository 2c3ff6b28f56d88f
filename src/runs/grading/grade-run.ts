/**
 * `runs.score`: every cell of a run gets its grade of one round, a few at a time. Rows are the checkpoints: the worker that takes up a killed
 * worker's job grades only the cells that have none, and the database refuses a second grade of an attempt in a round.
 */
import { z } from 'zod';
import type { CallContext, CallLimits, ProviderSlots } from '../../models/index.ts';
import { systemContext } from '../../models/index.ts';
import type { Job, Store } from '../../store/index.ts';
import type { CheckThread } from './check-thread.ts';
import { gradingError, judgePending } from './grade-item.ts';
import { beginGrading, finishGrading, writeGrades } from './grade-rows.ts';
import { judgeOfRun, type RunJudge } from './judge-of-run.ts';
import { oneAhead } from './one-ahead.ts';
import type { NewGrade, PendingItem, UnreadableItem } from './pending-item.ts';
import { pendingItems } from './pending-items.ts';

export interface GradeOptions {
  store: Store;
  checks: CheckThread;
  /** Throws when a judge's address may not be called. */
  assertUrl: CallContext['assertPublicUrl'];
  /** Which variables may hold keys. */
  keyAccess?: CallContext['keyAccess'];
  /** Calls to a judge at once, for one run. */
  judgeConcurrency?: number;
  /** Shared with everything else that calls the same providers. */
  slots?: ProviderSlots;
  limits?: Partial<CallLimits>;
}

const jobSchema = z.object({ run_id: z.uuid(), attempt: z.int().positive() });

/** Items that are looked at together. What a kill can cost is the checking of three times so many, never a row. */
const BATCH = 500;
const JUDGE_CONCURRENCY = 4;

export async function gradeRun(job: Pick<Job, 'data' | 'signal'>, options: GradeOptions): Promise<void> {
  // The wire calls a round an attempt, and jobs that were queued by version 0.1.0 do too.
  const { run_id: runId, attempt: round } = jobSchema.parse(job.data);
  const { store } = options;
  const run = await beginGrading(store, runId, round);
  // Deleted, finished before the kill, or overtaken by a later round.
  if (!run) return;
  const judge = await judgeOfRun(store.db, run);
  const context = systemContext(job.signal, options.assertUrl, options.limits ?? {}, options.keyAccess);
  // Reading, checking and writing are done by three threads: each has the next batch while the one after it has this one.
  const pending = oneAhead(pendingItems(store.db, { runId, round, size: BATCH }));
  for await (const batch of oneAhead(checkedBatches(pending, options.checks, context.signal))) {
    job.signal.throwIfAborted();
    await writeBatch(batch, { runId, round, judge, context, ...options });
  }
  await finishGrading(store, runId, round, judge.status === 'blocked' ? judge.reason : null);
}

interface Batch extends GradeOptions {
  runId: string;
  round: number;
  judge: RunJudge;
  context: CallContext;
}

interface CheckedBatch {
  readonly grades: readonly NewGrade[];
  readonly toJudge: readonly PendingItem[];
}

async function* checkedBatches(
  pending: AsyncIterable<readonly (PendingItem | UnreadableItem)[]>,
  checks: CheckThread,
  signal: AbortSignal,
): AsyncGenerator<CheckedBatch, void, undefined> {
  for await (const items of pending) {
    const readable = items.filter((one): one is PendingItem => 'item' in one);
    const unreadable = items.filter((one): one is UnreadableItem => !('item' in one));
    const checked = await checks.check(readable, signal);
    yield {
      grades: [
        ...unreadable.map(({ id, attempt, problem }) => gradingError(id, attempt, problem.message)),
        ...checked.filter((grade) => grade !== 'judge'),
      ],
      toJudge: readable.filter((_, place) => checked[place] === 'judge'),
    };
  }
}

/** Checked ones in one write; judged ones each as soon as its verdict is there, because it has cost a call. */
async function writeBatch({ grades, toJudge }: CheckedBatch, batch: Batch): Promise<void> {
  const { store, runId, round, judge, context } = batch;
  await writeGrades(store, runId, round, grades);
  // Left without a row: a later round, with a judge, finds them ungraded.
  if (judge.status === 'blocked') return;
  const waiting = toJudge.values();
  const lanes = Array.from({ length: batch.judgeConcurrency ?? JUDGE_CONCURRENCY }, async () => {
    for (const pending of waiting) {
      const ask = () => judgePending(pending, judge.provider, context);
      const grade = await (batch.slots?.use(judge.provider.id, context.signal, ask) ?? ask());
      await writeGrades(store, runId, round, [grade]);
    }
  });
  await settleAll(lanes);
}

/** No lane is left behind at work when another fails. */
async function settleAll(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}
