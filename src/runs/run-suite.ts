/** Many episodes: tasks × trials, some at a time, each in a slot of its own. What fails in one never ends the others. */
import path from 'node:path';
import type { Observation, Pool, Slot } from '../chromium/index.ts';
import { type NetworkPolicy, readRecording } from '../chromium/index.ts';
import { type Adapter, type LoadedTask, runEpisode, serverUnderTest } from '../episode/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { NewEvent } from '../journal/index.ts';
import { type AttachedServer, attachServer, type ServerProfile } from '../tools/index.ts';
import { readExemplars } from './exemplars.ts';
import type { RunFolder } from './run-folder.ts';

export interface SuiteOptions {
  tasks: readonly LoadedTask[];
  /** An agent for one episode. */
  agent: (task: LoadedTask, profile: ServerProfile, attached: AttachedServer) => Adapter;
  profile: ServerProfile;
  pool: Pool;
  folder: RunFolder;
  environment: NewEvent<'start'>['environment'];
  isolation: 'context' | 'process';
  trials?: number;
  concurrency?: number;
  /** A server process for every episode. */
  freshServer?: boolean;
  untilDone?: boolean;
  screenshots?: boolean;
  /** Hosts that blocked and replayed tasks may still reach: the fixture server's. */
  allowHosts?: readonly string[];
  signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now?: () => number;
  onEvent?: (event: unknown, task: LoadedTask) => void;
  onProgress?: (progress: SuiteProgress) => void;
  /** Before the first episode: what a killed run leaves can then be read. */
  onPlanned?: (places: readonly EpisodePlace[]) => void;
}

export interface SuiteProgress {
  done: number;
  total: number;
  taskId: string;
  trial: number;
  status: string;
  reason: string;
}

export interface PlannedEpisode {
  task: LoadedTask;
  trial: number;
}

/** Where each episode's journal is, in the order of the plan. */
export interface EpisodePlace extends PlannedEpisode {
  folder: string;
  /** Where no episode could be begun: why. */
  failed?: string;
}

export function planEpisodes(tasks: readonly LoadedTask[], trials: number): PlannedEpisode[] {
  return tasks.flatMap((task) => Array.from({ length: trials }, (_, index) => ({ task, trial: index + 1 })));
}

export async function runSuite(options: SuiteOptions): Promise<EpisodePlace[]> {
  const plan = planEpisodes(options.tasks, options.trials ?? 1);
  const places: EpisodePlace[] = plan.map((planned) => ({
    ...planned,
    folder: options.folder.episode(planned.task.task.id, planned.trial, 1),
  }));
  options.onPlanned?.(places);
  let next = 0;
  let done = 0;
  let fatal: WaymarkError | undefined;
  const worker = async (): Promise<void> => {
    await using bench = new Workbench(options);
    while (next < places.length && !options.signal?.aborted && !fatal) {
      const place = places[next++] as EpisodePlace;
      const { status, reason, unwritten } = await runOne(place, bench, options);
      fatal ??= unwritten;
      if (unwritten) return;
      if (status === 'not_begun') place.failed = reason;
      done++;
      options.onProgress?.({
        done,
        total: places.length,
        taskId: place.task.task.id,
        trial: place.trial,
        status,
        reason,
      });
    }
  };
  const workers = Math.max(1, Math.min(options.concurrency ?? 1, places.length));
  await Promise.all(Array.from({ length: workers }, worker));
  // Only now: the other episodes have ended and let go of what they had.
  if (fatal) throw fatal;
  return places;
}

async function runOne(
  place: EpisodePlace,
  bench: Workbench,
  options: SuiteOptions,
): Promise<{ status: string; reason: string; unwritten?: WaymarkError }> {
  const started = performance.now();
  let slot: Slot | undefined;
  try {
    const acquired = await options.pool.acquire(options.signal);
    slot = acquired.slot;
    const { task } = place.task;
    await slot.witness.configure({
      ...(task.network ? { network: policyOf(place.task, options.allowHosts ?? []) } : {}),
      ...(task.setup?.viewport ? { determinism: { viewport: task.setup.viewport } } : {}),
    });
    const attached = await bench.attach(slot);
    const adapter = options.agent(place.task, options.profile, attached);
    const { proof } = acquired;
    return await runEpisode(task, adapter, serverUnderTest(attached, slot, options.isolation), {
      runId: options.folder.runId,
      folder: place.folder,
      trial: place.trial,
      environment: { ...options.environment, browser: browserOf(slot) },
      reset: {
        ok: proof.clean,
        findings: proof.findings,
        fingerprint: proof.fingerprint,
        durationMs: Math.round(performance.now() - started),
      },
      ...(options.untilDone === undefined ? {} : { untilDone: options.untilDone }),
      ...(options.screenshots === undefined ? {} : { screenshots: options.screenshots }),
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.now ? { now: options.now } : {}),
      exemplars: readExemplars(place.task),
      onEvent: (event) => options.onEvent?.(event, place.task),
      onObservation: (seen) => {
        bench.latest = seen;
      },
    });
  } catch (error) {
    const outcome = { status: 'not_begun', reason: messageOf(error) };
    // Without a journal there is no evidence, and the next episode's could not be written either.
    if (error instanceof WaymarkError && error.code === 'journal_write_failed') return { ...outcome, unwritten: error };
    return outcome;
  } finally {
    await bench.letGo();
    await slot?.release().catch(() => {});
  }
}

/** A worker's server: kept from episode to episode where it can be. */
class Workbench {
  readonly #options: SuiteOptions;
  #attached: AttachedServer | undefined;
  /** The newest look of the episode that runs here: our own server reports progress by it. */
  latest: Observation | undefined;

  constructor(options: SuiteOptions) {
    this.#options = options;
  }

  async attach(slot: Slot): Promise<AttachedServer> {
    this.latest = undefined;
    if (this.#attached) await this.#attached.retarget(slot);
    else
      this.#attached = await attachServer(this.#options.profile, slot, {
        fresh: this.#options.freshServer,
        latest: () => this.latest,
      });
    return this.#attached;
  }

  async letGo(): Promise<void> {
    await this.#attached?.letGo().catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#attached?.dispose();
  }
}

function policyOf({ task, folder }: LoadedTask, allowHosts: readonly string[]): NetworkPolicy {
  if (task.network?.mode === 'replay') {
    return { mode: 'replay', recording: readRecording(path.resolve(folder, task.network.recording)), allowHosts };
  }
  return task.network?.mode === 'blocked' ? { mode: 'blocked', allowHosts } : { mode: 'live' };
}

function browserOf(slot: Slot): { product: string; kind: string } {
  const { product, kind } = slot.house.browser.identity;
  return { product, kind };
}
