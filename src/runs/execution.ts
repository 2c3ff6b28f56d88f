/** What an execution is given, tells and answers; the kinds of cases share it. */
import type { Pool, PoolEvent } from '../chromium/index.ts';
import type { AgentHooks, StateHeaders } from '../episode/index.ts';
import type { AttemptRef, Cell } from '../events/index.ts';
import type { OutcomeClass } from '../metrics/index.ts';
import type { CallContext, CallLimits, ProviderSlots } from '../models/index.ts';
import type { GivenGrade } from './graders/grade-run.ts';
import type { RetryChoices } from './retries.ts';
import type { UsedByRun } from './run-budget.ts';
import type { Claim, RunStore } from './run-store.ts';

/** Browsers that are ready already: a benchmark warms them before it measures. */
export interface RunBrowsers {
  pool: Pool;
  allowHosts?: readonly string[];
  stateHeaders?: StateHeaders;
}

/** What people ask of a run while it goes on. */
export interface Steering {
  /** The signal is aborted when this attempt is to be stopped, and the others go on; its reason says who asked. Disposed when the attempt has ended. */
  watch(attempt: AttemptRef): { readonly signal: AbortSignal } & Disposable;
  /** Cells that are to be tried once more. Each is told once. */
  takeRetries(): readonly Cell[];
}

export interface ExecuteOptions extends RetryChoices {
  store: RunStore;
  /** Nothing new is begun once it is aborted; what runs is ended and written. */
  signal?: AbortSignal | undefined;
  /** Cells whose attempt ended by a fault that was not the agent's get another one. Without it, only cells without a finished attempt do. */
  isResumed?: boolean | undefined;
  /** Of a run that is resumed: cells that did not pass for whatever reason get another attempt too. */
  retryFailed?: boolean | undefined;
  steering?: Steering | undefined;
  /** False: a kill kept the run that is resumed from its end, which is written also where nothing is left to run. */
  isEnded?: boolean | undefined;
  /** After the first attempt that did not pass, nothing new is begun; what runs goes on to its end. Retries come first. */
  failFast?: boolean | undefined;
  /** Names this worker in claims. */
  worker?: string | undefined;
  /** Values of secrets and keys. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  browsers?: RunBrowsers | undefined;
  /** Once, before the first attempt. */
  onStart?: ((about: { finished: number; total: number }) => void) | undefined;
  /** After each attempt. The worker that made it waits until this has resolved. */
  onProgress?: ((progress: RunProgress) => void | Promise<void>) | undefined;
  /** Each grade of the graders beside contracts and checkers, when all attempts have ended. */
  onGrade?: ((given: GivenGrade) => void) | undefined;
  /** Every event as it is written, with the attempt that it is of. */
  onEvent?: ((event: unknown, attempt: AttemptRef) => void) | undefined;
  /** Where claims come from, instead of the open cells of the plan: an environment's sessions begin when a client asks for them. */
  claims?: (() => AsyncGenerator<Claim, void, undefined>) | undefined;
  /** Other workers execute the run too: an attempt that one of them has taken over ends alone, and not the execution. */
  isShared?: boolean | undefined;
  /** What all workers of the run have used, where there are others. */
  used?: (() => Promise<UsedByRun>) | undefined;
  /** Functions that watch the agents of tasks. */
  hooks?: AgentHooks | undefined;
  /** A sentence about what is prepared: a browser that is installed, leftovers of a killed run. */
  onNote?: ((note: string) => void) | undefined;
  /** Of calls to models: retries, timeouts, lengths. */
  limits?: Partial<CallLimits> | undefined;
  /** Throws for addresses of models that may not be called; by default public ones may, and those of this machine and of private networks. */
  assertUrl?: CallContext['assertPublicUrl'] | undefined;
  /** Which variables may hold the keys of stored providers. */
  keyAccess?: CallContext['keyAccess'];
  /** Bounds the calls to one provider at once, over all runs that share it. */
  slots?: ProviderSlots | undefined;
  /**
   * Takes the place of grading and of the store's `end`: the server ends a run and queues its grading in one transaction. Called however far
   * the run came, except where the execution itself failed.
   */
  end?: ((executed: ExecutedRun) => Promise<void>) | undefined;
  onPoolEvent?: ((event: PoolEvent) => void) | undefined;
}

/** How an attempt ended. */
export interface AttemptEnd {
  /** Of the journal's stop; `not_begun` or `stopped` where there is none. */
  status: string;
  reason: string;
  /** Of an attempt at a task; absent where it is not known before it is graded, and where another attempt would not help. */
  outcome?: OutcomeClass | undefined;
  /** It was stopped from outside: it does not count, and its cell waits for another attempt. */
  interrupted?: boolean | undefined;
  /** Of the error that a question came to. */
  code?: string | undefined;
  /** What the provider had to say about the call, in sentences: settings that the model does not support. */
  warnings?: readonly string[] | undefined;
}

export interface RunProgress extends AttemptEnd {
  done: number;
  total: number;
  attempt: AttemptRef;
  /** Its cell gets another attempt: this one does not count. */
  isRetried: boolean;
}

export interface ExecutedRun {
  total: number;
  /** Cells that were finished before. */
  finishedBefore: number;
  notBegun: { attempt: AttemptRef; reason: string }[];
  /** Stopped from outside, with cells left. */
  isStopped: boolean;
  /** The attempt that did not pass, after which nothing more was begun. */
  failedFast?: AttemptRef | undefined;
  /** Why questions were no longer asked: the next reply would have been the same refusal. */
  gaveUp?: string | undefined;
}

/** Takes claims until there are none, and tells how each ended. */
export type Worker = (claims: AsyncIterable<Claim>) => AsyncIterable<AttemptEnd & { claim: Claim }>;

/** What the kinds of cases share: claims, progress, the end. */
export interface Execution {
  readonly options: ExecuteOptions;
  /** Runs workers until no cell is open. A worker that throws ends the run once the others have ended their attempts. */
  eachClaim(workers: number, batch: number, work: Worker): Promise<void>;
}
