/** Asks for a run to be scored, in the transaction of what causes it. */
import { eq, sql } from 'drizzle-orm';
import { notFound } from '../../errors/index.ts';
import { appendRunLog, type Queue, type Store, schema, type Transaction } from '../../store/index.ts';

export const GRADE_QUEUE = 'runs.score';

const { run } = schema;

export interface GradingContext {
  store: Pick<Store, 'signals'>;
  queue: Pick<Queue, 'enqueue'>;
}

/** Begins a new attempt. @returns whether a job was taken. */
export async function enqueueGrading(
  { store, queue }: GradingContext,
  tx: Transaction,
  runId: string,
  judgeProviderId: string | null | undefined,
): Promise<boolean> {
  const [begun] = await tx
    .update(run)
    .set({
      gradingStatus: 'queued',
      gradingReason: null,
      gradingRound: sql`${run.gradingRound} + 1`,
      updatedAt: sql`now()`,
    })
    .where(eq(run.id, runId))
    .returning({ attempt: run.gradingRound });
  if (!begun) throw notFound('run', runId);
  const { attempt } = begun;
  await appendRunLog(store, tx, runId, [
    {
      level: 'info',
      code: 'scoring_queued',
      message: `Scoring waits for a worker (attempt ${attempt}).`,
      data: { attempt },
    },
  ]);
  return await enqueueGradingJob(queue, tx, { runId, attempt, judgeProviderId });
}

/** The job alone, for an attempt that has begun. */
export async function enqueueGradingJob(
  queue: Pick<Queue, 'enqueue'>,
  tx: Transaction,
  { runId, attempt, judgeProviderId }: { runId: string; attempt: number; judgeProviderId: string | null | undefined },
): Promise<boolean> {
  // The attempt is part of the key: the job of the last one may not have been put away yet when the next is asked for.
  const job = await queue.enqueue(
    tx,
    GRADE_QUEUE,
    { run_id: runId, attempt },
    { singletonKey: `${runId}:${attempt}`, ...(judgeProviderId ? { group: judgeProviderId } : {}) },
  );
  return job !== null;
}
