/**
 * `runs.launch`: every question of a run is claimed, asked and finished as an attempt, a few at once. Finished attempts are the checkpoints:
 * the worker that takes up a killed worker's job asks only what has none. A call that was under way at the kill is made again as another
 * attempt, since its answer is not known; a provider may count it twice.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ApiProvider, CallContext, CallLimits, Completion, ProviderSlots } from '../../models/index.ts';
import { systemContext } from '../../models/index.ts';
import {
  type Artifacts,
  callable,
  getApiProvider,
  type Job,
  type Queue,
  runTopic,
  type Store,
} from '../../store/index.ts';
import { askQuestion } from '../ask-question.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { beginAsking, tellProgress } from './ask-rows.ts';
import { type ClaimedQuestion, claimQuestions, giveBack, isLeaseLost } from './claim-questions.ts';
import { failAsking, finishAsking } from './end-run.ts';
import { FailureWatch } from './failure-watch.ts';
import { type LaunchConfig, launchConfigSchema } from './launch-request.ts';
import { isUnderWay } from './lock-launch.ts';
import { pace } from './pace.ts';
import { Progress } from './progress.ts';

export interface AskOptions {
  store: Store;
  queue: Queue;
  /** For journals that are too long for a row. */
  artifacts: Artifacts;
  /** Throws when a provider's address may not be called. */
  assertUrl: CallContext['assertPublicUrl'];
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
  const { run_id: runId, attempt } = jobSchema.parse(job.data);
  const { store, now = () => new Date() } = options;
  const begun = await beginAsking(store, runId, attempt, now());
  // Cancelled before its turn came, finished before a kill, or overtaken by a later attempt.
  if (!begun) return;
  const { row, counts } = begun;
  const stop = new AbortController();
  const signal = AbortSignal.any([job.signal, stop.signal]);
  const context = systemContext(signal, options.assertUrl, options.limits ?? {});
  const config = launchConfigSchema.parse(row.config);
  if (row.providerId === null) throw new Error('a run of questions has a provider');
  const asking: Asking = {
    ...options,
    now,
    runId,
    attempt,
    worker: randomUUID(),
    runs: new DatabaseRunStore({ store, artifacts: options.artifacts, leaseMs: LEASE_MS, now: () => now().getTime() }),
    stop,
    config,
    model: row.model ?? '',
    provider: callable(await getApiProvider(store.db, row.providerId)),
    context: { ...context, turn: pace(config.requests_per_minute, context) },
    progress: new Progress({
      counts,
      everyMs: options.progressMs ?? PROGRESS_MS,
      now: context.now,
      tell: (so, lines) => tellProgress(store, runId, attempt, so, lines),
    }),
    watch: new FailureWatch(),
  };
  const reason = await untilStopped(asking, () => askAll(asking));
  await asking.progress.flush();
  // Thrown for the queue: the job goes back, for the next worker.
  job.signal.throwIfAborted();
  if (reason !== undefined) await failAsking(store, runId, attempt, reason, now());
  else if (!stop.signal.aborted) await finishAsking(options, runId, attempt, now());
}

interface Asking extends AskOptions {
  now: () => Date;
  runId: string;
  /** The launch. */
  attempt: number;
  /** Names the claims of this job. */
  worker: string;
  runs: DatabaseRunStore;
  /** Aborted when the run is cancelled, is not ours any more, or is given up: calls under way end at once. */
  stop: AbortController;
  config: LaunchConfig;
  model: string;
  provider: ApiProvider;
  context: CallContext;
  progress: Progress;
  watch: FailureWatch;
}

/** A cancellation, here or on another server, is heard at its commit. */
async function untilStopped<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
  const { store, runId, attempt, stop, runs, worker } = asking;
  const look = () =>
    isUnderWay(store.db, runId, attempt).then(
      (goesOn) => goesOn || stop.abort(new Error('the run was ended')),
      // A database that does not answer is found out by the next write.
      () => undefined,
    );
  const unsubscribe = await store.signals.subscribe(runTopic(runId), () => void look());
  // As above: a lease that could not be renewed is found out by the next write.
  const renewing = setInterval(() => void runs.renew(runId, worker).catch(() => undefined), LEASE_MS / 3);
  try {
    await look();
    return await work();
  } finally {
    clearInterval(renewing);
    unsubscribe();
  }
}

/** @returns why it was given up; undefined when it was not. */
async function askAll(asking: Asking): Promise<string | undefined> {
  const { stop, context, config, runs, runId, worker } = asking;
  const { signal } = context;
  const questions = claimQuestions({ runs, runId, worker, batch: config.concurrency, signal });
  let reason: string | undefined;
  const lanes = Array.from({ length: config.concurrency }, async () => {
    // One source for all lanes; it ends for all when one of them fails.
    for await (const question of questions) {
      const said = await askOne(asking, question);
      if (said === undefined) continue;
      reason ??= said;
      stop.abort(new Error(said));
      return;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  // Calls that were stopped throw; that is no failure.
  if (failed?.status === 'rejected' && !context.signal.aborted) throw failed.reason;
  return reason;
}

/** @returns the reason to give up the run, if there is one now. */
async function askOne(asking: Asking, { claim, prompt }: ClaimedQuestion): Promise<string | undefined> {
  const { slots, provider, context, model, config, runs, stop } = asking;
  const { attempt } = claim;
  let completion: Completion;
  try {
    completion = await slots.use(provider.id, context.signal, () =>
      askQuestion({ attempt, prompt }, { provider, model, params: config.params }, runs.write(claim), context),
    );
  } catch (error) {
    if (isLeaseLost(error)) {
      stop.abort(new Error('the run was ended'));
      return undefined;
    }
    await giveBack(runs, claim);
    throw error;
  }
  await asking.progress.item(attempt.caseId, completion);
  return asking.watch.see(completion);
}
