/**
 * `runs.launch`: the job that executes a stored run of questions. Finished attempts are the checkpoints: the worker that takes up a killed
 * worker's job asks only what has none. A call that was under way at the kill is made again as another attempt, since its answer is not
 * known; a provider may count it twice.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { CallContext, CallLimits, ProviderSlots } from '../../models/index.ts';
import type { Artifacts, Job, Queue, Store } from '../../store/index.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { executeRun } from '../execute-run.ts';
import type { ExecutedRun } from '../execution.ts';
import { beginAsking, tellProgress } from './ask-rows.ts';
import { failAsking, finishAsking } from './end-run.ts';
import { holdLaunch } from './hold-launch.ts';
import { isUnderWay } from './lock-launch.ts';
import { Progress } from './progress.ts';
import { resolveStoredRun } from './resolve-stored-run.ts';

export interface AskOptions {
  store: Store;
  queue: Queue;
  /** For journals that are too long for a row. */
  artifacts: Artifacts;
  /** Throws when a provider's address may not be called. */
  assertUrl: CallContext['assertPublicUrl'];
  /** Which variables may hold keys. */
  keyAccess?: CallContext['keyAccess'];
  slots: ProviderSlots;
  limits?: Partial<CallLimits>;
  now?: () => Date;
  /** At most one line of progress in so long. */
  progressMs?: number;
}

const jobSchema = z.object({ run_id: z.uuid(), attempt: z.int().positive() });
const PROGRESS_MS = 1_000;
/** A call may take longer than a lease: claims are renewed while it lasts. */
const LEASE_MS = 60_000;

export async function askRun(job: Pick<Job, 'data' | 'signal'>, options: AskOptions): Promise<void> {
  const { run_id: runId, attempt: launch } = jobSchema.parse(job.data);
  const { store, artifacts, assertUrl, keyAccess, slots, limits, now = () => new Date() } = options;
  const begun = await beginAsking(store, runId, launch, now());
  // Cancelled before its turn came, finished before a kill, or overtaken by a later launch.
  if (!begun) return;
  const worker = randomUUID();
  const runs = new DatabaseRunStore({ store, artifacts, leaseMs: LEASE_MS, now: () => now().getTime() });
  const progress = new Progress({
    counts: begun.counts,
    everyMs: options.progressMs ?? PROGRESS_MS,
    now: () => performance.now(),
    tell: (counts, lines) => tellProgress(store, runId, launch, counts, lines),
  });
  const end = async ({ gaveUp, isStopped }: ExecutedRun): Promise<void> => {
    await progress.flush();
    if (isStopped) return;
    if (gaveUp === undefined) await finishAsking(options, runId, launch, now());
    else await failAsking(store, runId, launch, gaveUp, now());
  };
  using held = await holdLaunch(
    store,
    { runId, launch },
    { everyMs: LEASE_MS / 3, renew: () => runs.renew(runId, worker) },
  );
  try {
    await executeRun(await resolveStoredRun(store.db, runs, begun.row), {
      store: runs,
      worker,
      signal: AbortSignal.any([job.signal, held.signal]),
      env: process.env,
      assertUrl,
      keyAccess,
      slots,
      limits,
      onProgress: (ended) => progress.item(ended),
      end,
    });
  } catch (error) {
    // A run that was cancelled or resumed meanwhile has taken the leases away: what fails then is not a failure.
    if (await isUnderWay(store.db, runId, launch)) throw error;
  }
  // Thrown for the queue: the job goes back, for the next worker.
  job.signal.throwIfAborted();
}
