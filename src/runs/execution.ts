/** What an execution is given, tells and answers; the kinds of cases share it. */
import type { Pool, PoolEvent } from '../chromium/index.ts';
import type { AttemptRef } from '../events/index.ts';
import type { CallLimits } from '../models/index.ts';
import type { Claim, RunStore } from './run-store.ts';

/** Browsers that are ready already: a benchmark warms them before it measures. */
export interface RunBrowsers {
  pool: Pool;
  allowHosts?: readonly string[];
}

export interface ExecuteOptions {
  store: RunStore;
  /** Nothing new is begun once it is aborted; what runs is ended and written. */
  signal?: AbortSignal | undefined;
  /** Names this worker in claims. */
  worker?: string | undefined;
  /** Values of secrets and keys. */
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined;
  browsers?: RunBrowsers | undefined;
  /** Once, before the first attempt. */
  onStart?: ((about: { finished: number; total: number }) => void) | undefined;
  onProgress?: ((progress: RunProgress) => void) | undefined;
  /** Every event as it is written. */
  onEvent?: ((event: unknown) => void) | undefined;
  /** A sentence about what is prepared: a browser that is installed, leftovers of a killed run. */
  onNote?: ((note: string) => void) | undefined;
  /** Of calls to models: retries, timeouts, lengths. */
  limits?: Partial<CallLimits> | undefined;
  onPoolEvent?: ((event: PoolEvent) => void) | undefined;
}

export interface RunProgress {
  done: number;
  total: number;
  attempt: AttemptRef;
  /** Of the journal's stop; `not_begun` or `stopped` where there is none. */
  status: string;
  reason: string;
}

export interface ExecutedRun {
  total: number;
  /** Cells that were finished before. */
  finishedBefore: number;
  notBegun: { attempt: AttemptRef; reason: string }[];
  /** Stopped from outside, with cells left. */
  isStopped: boolean;
  /** Why questions were no longer asked: the next reply would have been the same refusal. */
  gaveUp?: string | undefined;
}

/** Takes claims until there are none, and tells how each ended. */
export type Worker = (claims: AsyncIterable<Claim>) => AsyncIterable<{ claim: Claim; status: string; reason: string }>;

/** What the kinds of cases share: claims, progress, the end. */
export interface Execution {
  readonly options: ExecuteOptions;
  /** Runs workers until no cell is open. A worker that throws ends the run once the others have ended their attempts. */
  eachClaim(workers: number, batch: number, work: Worker): Promise<void>;
}
