/**
 * `runs.launch`: every item of a run is asked, a few at once, and its answer committed as it comes. Those rows are the checkpoints: whoever
 * takes up a killed worker's job asks only for items that have none. A call that was under way at the kill is made again, since nobody
 * knows its answer; a provider may count it twice.
 */
import { z } from 'zod';
import type { ApiProvider, CallContext, CallLimits, ProviderSlots } from '../../models/index.ts';
import { completeItem, systemContext } from '../../models/index.ts';
import { callable, getApiProvider, type Job, type Queue, runTopic, type Store } from '../../store/index.ts';
import { beginAsking, type Question, questionsOf, tellProgress, writeAnswer } from './ask-rows.ts';
import { failAsking, finishAsking } from './end-run.ts';
import { FailureWatch } from './failure-watch.ts';
import { type LaunchConfig, launchConfigSchema } from './launch-request.ts';
import { isUnderWay } from './lock-attempt.ts';
import { pace } from './pace.ts';
import { Progress } from './progress.ts';

export interface AskOptions {
  store: Store;
  queue: Queue;
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
  const asking: Asking = {
    ...options,
    now,
    runId,
    attempt,
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
  const reason = await untilStopped(asking, () => askAll(asking, questionsOf(store.db, runId)));
  await asking.progress.flush();
  // Thrown for the queue: the job goes back, for the next worker.
  job.signal.throwIfAborted();
  if (reason !== undefined) await failAsking(store, runId, attempt, reason, now());
  else if (!stop.signal.aborted) await finishAsking(options, runId, attempt, now());
}

interface Asking extends AskOptions {
  now: () => Date;
  runId: string;
  attempt: number;
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
async function untilStopped<T>({ store, runId, attempt, stop }: Asking, work: () => Promise<T>): Promise<T> {
  const look = () =>
    isUnderWay(store.db, runId, attempt).then(
      (goesOn) => goesOn || stop.abort(new Error('the run was ended')),
      // A database that does not answer is found out by the next write.
      () => undefined,
    );
  const unsubscribe = await store.signals.subscribe(runTopic(runId), () => void look());
  try {
    await look();
    return await work();
  } finally {
    unsubscribe();
  }
}

/** @returns why it was given up; undefined when it was not. */
async function askAll(asking: Asking, questions: AsyncGenerator<Question>): Promise<string | undefined> {
  const { stop, context, config } = asking;
  let reason: string | undefined;
  const lanes = Array.from({ length: config.concurrency }, async () => {
    // One source for all lanes; it ends for all when one of them fails.
    for await (const question of questions) {
      if (context.signal.aborted) return;
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

/** @returns the reason to give up the run, if this was the last straw. */
async function askOne(asking: Asking, { id, promptText }: Question): Promise<string | undefined> {
  const { store, slots, provider, context, model, now, runId, attempt, stop } = asking;
  const { params } = asking.config;
  const { completion, startedAt } = await slots.use(provider.id, context.signal, async () => ({
    startedAt: now(),
    completion: await completeItem({ prompt_text: promptText, model, ...params }, provider, context),
  }));
  const taken = await writeAnswer(store.db, { runId, attempt, id }, completion, { startedAt, finishedAt: now() });
  if (!taken) {
    stop.abort(new Error('the run was ended'));
    return undefined;
  }
  await asking.progress.item(id, completion);
  return asking.watch.see(completion);
}
