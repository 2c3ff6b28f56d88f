/**
 * A worker: claims attempts of runs in the database, one by one, executes them here, and ends runs that are done. One run at a time, the
 * oldest first. It goes on through restarts of the database and failures of the object store; an attempt that it loses meanwhile is another
 * worker's.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../errors/index.ts';
import type { AttemptRef } from '../../events/index.ts';
import { type Artifacts, appendRunLog, type Store } from '../../store/index.ts';
import { DatabaseRunStore } from '../database/database-run-store.ts';
import { foldTorn } from '../database/fold-torn.ts';
import { isOutage, throughOutages } from '../database/through-outages.ts';
import { executeRun, gradeEnded } from '../execute-run.ts';
import type { RunProgress } from '../execution.ts';
import type { Environment } from '../open-run-model.ts';
import type { Claim } from '../run-store.ts';
import { claimsAhead } from './claims-ahead.ts';
import { startHeartbeat } from './heartbeat.ts';
import { Idle } from './idle.ts';
import { OpenedRuns } from './opened-runs.ts';
import {
  claimEnd,
  isRunning,
  type OpenWork,
  openWork,
  releaseEnd,
  removeWorker,
  reportWorker,
  WORK_TOPIC,
} from './work-rows.ts';

export interface WorkOptions {
  readonly store: Store;
  readonly artifacts: Artifacts;
  readonly version: string;
  /** Values of secrets and keys: they are looked for here and nowhere else. */
  readonly env: Environment;
  readonly concurrency: number;
  readonly labels: readonly string[];
  /** A folder of its own, for suites and for files of attempts. */
  readonly folder: string;
  /** A worker that is silent for so long has lost its attempts. */
  readonly leaseMs?: number | undefined;
  /** Aborted: nothing new is claimed; what runs goes on to its end. */
  readonly draining: AbortSignal;
  /** Aborted: what runs is ended at once, and waits for another worker. */
  readonly signal: AbortSignal;
  /** Ends when nothing waits any more, instead of waiting for the next run. */
  readonly untilIdle?: boolean | undefined;
  readonly say: (line: string) => void;
  readonly onAttempt?: ((progress: RunProgress) => void) | undefined;
}

export interface WorkCounts {
  /** Attempts that ended here and count. */
  attempts: number;
  /** Attempts that another worker has taken over. */
  lost: number;
  /** Runs that were ended here. */
  ended: number;
}

const LEASE_MS = 30_000;
const BEATS_PER_LEASE = 3;
/** A signal that is lost costs so much time. */
const POLL_MS = 2_000;
/** An attempt that has ended is worth waiting for. */
const PATIENCE_MS = 10 * 60_000;
/** Where attempts take less than this, the next one is claimed while one runs. */
const SOON_MS = 2_000;
/** A run that can't be executed here is not tried again for so long. */
const AVOIDED_MS = 60_000;

export async function work(options: WorkOptions): Promise<WorkCounts> {
  await using worker = await Worker.start(options);
  return await worker.work();
}

class Worker implements AsyncDisposable {
  readonly #options: WorkOptions;
  readonly #id = `${hostname()}-${process.pid}-${randomBytes(3).toString('hex')}`;
  readonly #leaseMs: number;
  readonly #runs: DatabaseRunStore;
  readonly #opened: OpenedRuns;
  readonly #idle: Idle;
  readonly #steadily;
  readonly #counts: WorkCounts = { attempts: 0, lost: 0, ended: 0 };
  readonly #avoided = new Map<string, number>();
  readonly #said = new Set<string>();
  readonly #heart: AsyncDisposable;
  #ending: string | undefined;
  /** The run that is worked on, and what ends that when the run is stopped. */
  #current: { readonly runId: string; readonly stop: AbortController } | undefined;

  private constructor(options: WorkOptions, idle: Idle) {
    const { store, artifacts, folder, version, concurrency, env, leaseMs = LEASE_MS } = options;
    this.#options = options;
    this.#leaseMs = leaseMs;
    this.#idle = idle;
    this.#steadily = throughOutages({ forMs: PATIENCE_MS, onWait: (error) => this.#tellOutage(error) });
    const attempts = path.join(folder, 'attempts');
    this.#runs = new DatabaseRunStore({ store, artifacts, leaseMs, folder: attempts, steadily: this.#steadily });
    this.#opened = new OpenedRuns({ store: this.#runs, artifacts, folder, version, concurrency, env });
    this.#heart = startHeartbeat(
      () => this.#beat(),
      leaseMs / BEATS_PER_LEASE,
      (error) => this.#tellOutage(error),
    );
  }

  static async start(options: WorkOptions): Promise<Worker> {
    const idle = new Idle(options.draining);
    const worker = new Worker(options, idle);
    await options.store.signals.subscribe(WORK_TOPIC, () => {
      idle.wake();
      // Where it can't be read now, the next beat looks again.
      worker.#endStopped().catch(() => undefined);
    });
    await worker.#report();
    return worker;
  }

  async work(): Promise<WorkCounts> {
    const { draining, untilIdle } = this.#options;
    while (!draining.aborted) {
      const { isBusy, isLeft } = await this.#nextWork();
      if (isBusy) continue;
      if (untilIdle && !isLeft) break;
      await this.#idle.wait(POLL_MS);
    }
    return this.#counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#heart[Symbol.asyncDispose]();
    // Where the database is away, it is forgotten after a while.
    await removeWorker(this.#options.store.db, this.#id).catch(() => undefined);
  }

  /** A worker that is to end does not wait for a database that is away. */
  async #nextWork(): Promise<{ isBusy: boolean; isLeft: boolean }> {
    const { draining } = this.#options;
    try {
      return await this.#steadily(() => this.#takeWork(), draining);
    } catch (error) {
      if (draining.aborted && isOutage(error)) return { isBusy: false, isLeft: true };
      throw error;
    }
  }

  /** `isBusy`: there was something to do, and there may be more. `isLeft`: a run is under way, here or elsewhere. */
  async #takeWork(): Promise<{ isBusy: boolean; isLeft: boolean }> {
    const { store, labels } = this.#options;
    const found = (await openWork(store.db, labels)).filter((work) => this.#canDo(work));
    for (const work of found) {
      if (work.isToEnd && (await this.#tryEnd(work))) return { isBusy: true, isLeft: true };
      if (!work.isClaimable) continue;
      const [first] = await this.#claim(work);
      if (!first) continue;
      await this.#execute(work, first);
      return { isBusy: true, isLeft: true };
    }
    return { isBusy: false, isLeft: found.length > 0 };
  }

  /** Of this version, with all keys, and not one that failed here a moment ago. */
  #canDo({ runId, version, needs, secrets }: OpenWork): boolean {
    const { version: own, env } = this.#options;
    if ((this.#avoided.get(runId) ?? 0) > performance.now()) return false;
    if (version !== own) {
      this.#sayOnce(
        `run ${runId} was made by waymark ${version} and is left to workers of that version: this one is waymark ${own}`,
      );
      return false;
    }
    const missing = needs.filter((name) => !env[name]);
    if (missing.length > 0) {
      this.#sayOnce(`run ${runId} is left to other workers: ${missing.join(', ')} has no value here`);
      return false;
    }
    const unknown = this.#without(secrets);
    if (unknown.length > 0)
      this.#sayOnce(
        `run ${runId}: cases that need ${unknown.join(', ')} are left to other workers: it has no value here`,
      );
    return true;
  }

  #without(secrets: readonly string[]): string[] {
    return secrets.filter((name) => !this.#options.env[name]);
  }

  /** What is tried again has its turn after all others: what was in the way may be gone by then. */
  async #claim({ runId, secrets }: OpenWork): Promise<Claim[]> {
    const limits = { without: this.#without(secrets), mayResume: false };
    const fresh = await this.#runs.claim(runId, this.#id, 1, { ...limits, onlyFresh: true });
    return fresh.length > 0 ? fresh : await this.#runs.claim(runId, this.#id, 1, limits);
  }

  async #execute(work: OpenWork, first: Claim): Promise<void> {
    const { draining, env, onAttempt, say } = this.#options;
    const { runId } = work;
    const signal = this.#begin(runId);
    let isTaken = false;
    const begun = new Map<string, number>();
    let lastMs = Number.POSITIVE_INFINITY;
    const claims = async function* (source: AsyncIterable<Claim>): AsyncGenerator<Claim, void, undefined> {
      isTaken = true;
      for await (const claim of source) {
        begun.set(keyOf(claim.attempt), performance.now());
        yield claim;
      }
    };
    const ahead = claimsAhead({
      first,
      claim: async () => (await this.#steadily(() => this.#claim(work), draining))[0],
      giveBack: async (claim) => void (await this.#runs.giveUp(claim).catch(() => undefined)),
      isOver: () => draining.aborted || signal.aborted,
      isSoon: () => lastMs < SOON_MS,
    });
    try {
      const run = await this.#opened.get(work);
      await executeRun(run, {
        ...run.retry,
        store: this.#runs,
        worker: this.#id,
        used: () => this.#steadily(() => this.#runs.used(runId), signal),
        isShared: true,
        claims: () => claims(ahead),
        env,
        signal,
        onNote: say,
        onProgress: (progress) => {
          lastMs = performance.now() - (begun.get(keyOf(progress.attempt)) ?? 0);
          begun.delete(keyOf(progress.attempt));
          if (progress.status === 'lost') this.#counts.lost++;
          else if (progress.status !== 'stopped' && !progress.interrupted) this.#counts.attempts++;
          onAttempt?.(progress);
        },
        // Others may still be at it: a run is ended when no cell is left.
        end: async () => {},
      });
    } catch (error) {
      await this.#avoid(runId, error);
    } finally {
      this.#current = undefined;
      if (!isTaken) await this.#runs.giveUp(first).catch(() => undefined);
    }
  }

  async #tryEnd(work: OpenWork): Promise<boolean> {
    const { store, artifacts, env, say } = this.#options;
    const { runId } = work;
    if (!(await claimEnd(store.db, runId, this.#id, this.#leaseMs))) return false;
    this.#ending = runId;
    const signal = this.#begin(runId);
    try {
      await gradeEnded(await this.#opened.get(work), { store: this.#runs, env, signal });
      if (signal.aborted) return true;
      await this.#steadily(() => foldTorn({ db: store.db, artifacts }, runId));
      await this.#steadily(() => this.#runs.end(runId, Date.now()));
      this.#counts.ended++;
      say(`run ${runId} has ended`);
    } catch (error) {
      await this.#avoid(runId, error);
    } finally {
      this.#ending = undefined;
      this.#current = undefined;
      await releaseEnd(store.db, runId, this.#id).catch(() => undefined);
    }
    return true;
  }

  /** @returns the signal that ends what is done for the run: this worker is to end, or the run was stopped. */
  #begin(runId: string): AbortSignal {
    const stop = new AbortController();
    this.#current = { runId, stop };
    return AbortSignal.any([this.#options.signal, stop.signal]);
  }

  /** Attempts of a run that was stopped are ended, and wait until it is resumed. */
  async #endStopped(): Promise<void> {
    const current = this.#current;
    if (current && !(await isRunning(this.#options.store.db, current.runId))) current.stop.abort();
  }

  /** The run's log tells those who wait for it; this worker leaves it to others for a while. An outage is nothing about the run. */
  async #avoid(runId: string, error: unknown): Promise<void> {
    const { store, say } = this.#options;
    this.#avoided.set(runId, performance.now() + (isOutage(error) ? POLL_MS : AVOIDED_MS));
    if (isOutage(error)) return this.#tellOutage(error);
    const message = `The worker ${this.#id} could not go on with the run: ${messageOf(error)}`;
    say(`run ${runId}: ${message}`);
    const line = { level: 'error' as const, code: 'worker_failed', message };
    await store.db.transaction((tx) => appendRunLog(store, tx, runId, [line])).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    await this.#runs.renewHeld();
    await this.#endStopped();
    if (this.#ending !== undefined) await claimEnd(this.#options.store.db, this.#ending, this.#id, this.#leaseMs);
    await this.#report();
  }

  async #report(): Promise<void> {
    const { store, version, labels, concurrency, draining } = this.#options;
    const running = this.#runs.heldCount;
    const facts = { id: this.#id, host: hostname(), version, labels, concurrency, running, draining: draining.aborted };
    await reportWorker(store.db, facts);
  }

  #sayOnce(line: string): void {
    if (this.#said.has(line)) return;
    this.#said.add(line);
    this.#options.say(line);
  }

  #tellOutage(error: unknown): void {
    this.#options.say(`waiting: ${messageOf(error)}`);
  }
}

const keyOf = ({ caseId, trial, attempt }: AttemptRef): string => `${attempt} ${trial} ${caseId}`;
