/** Many episodes: tasks × trials, some at a time, each in a slot of its own. What fails in one never ends the others. */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { LoadedTask } from '../cases/index.ts';
import type { Observation, Pool, Slot } from '../chromium/index.ts';
import { type NetworkPolicy, readRecording } from '../chromium/index.ts';
import { type Agent, readSecrets, runEpisode, Secrets, serverUnderTest } from '../episode/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { TaskStart } from '../events/index.ts';
import { type MetadataSource, unbegunMetadata } from '../events/index.ts';
import { isWriteFailure, putJson } from '../journal/index.ts';
import { type AttachedServer, attachServer, type ServerProfile } from '../tools/index.ts';
import { type AttemptFolder, attemptFolders, planEpisodes } from './attempt-folders.ts';
import { readExemplars } from './exemplars.ts';
import type { RunFolder } from './run-folder.ts';

export interface SuiteOptions {
  tasks: readonly LoadedTask[];
  /** Where the episodes go, where that was looked up before. Finished ones are left as they are. */
  places?: AttemptFolder[];
  /** For the metadata of an episode whose agent could not even be made. */
  agentKind?: string;
  /** An agent for one episode. */
  agent: (task: LoadedTask, profile: ServerProfile, attached: AttachedServer) => Agent;
  profile: ServerProfile;
  pool: Pool;
  folder: RunFolder;
  environment: TaskStart['environment'];
  isolation: 'context' | 'process';
  trials?: number;
  concurrency?: number;
  /** A server process for every episode. */
  freshServer?: boolean;
  untilDone?: boolean;
  screenshots?: boolean;
  /** Actions that need a gate are let through. */
  allowGuarded?: boolean;
  /** Where the values of secrets come from. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Hosts that blocked and replayed tasks may still reach: the fixture server's. */
  allowHosts?: readonly string[];
  signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now?: () => number;
  onEvent?: (event: unknown, task: LoadedTask) => void;
  onProgress?: (progress: SuiteProgress) => void;
  /** Before the first episode: what a killed run leaves can then be read. */
  onPlanned?: (places: readonly AttemptFolder[]) => void;
}

export interface SuiteProgress {
  done: number;
  total: number;
  taskId: string;
  trial: number;
  status: string;
  reason: string;
}

export async function runSuite(options: SuiteOptions): Promise<AttemptFolder[]> {
  const places =
    options.places ?? (await attemptFolders(options.folder, planEpisodes(options.tasks, options.trials ?? 1)));
  options.onPlanned?.(places);
  const open = places.filter(({ isFinished }) => !isFinished);
  let next = 0;
  let done = places.length - open.length;
  let fatal: WaymarkError | undefined;
  const worker = async (): Promise<void> => {
    await using bench = new ServerLease(options);
    while (next < open.length && !options.signal?.aborted && !fatal) {
      const place = open[next++] as AttemptFolder;
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
  const workers = Math.min(options.concurrency ?? 1, open.length);
  await Promise.all(Array.from({ length: workers }, worker));
  // Only now: the other episodes have ended and let go of what they had.
  if (fatal) throw fatal;
  return places;
}

async function runOne(
  place: AttemptFolder,
  bench: ServerLease,
  options: SuiteOptions,
): Promise<{ status: string; reason: string; unwritten?: WaymarkError }> {
  const started = performance.now();
  const begun = (options.now ?? Date.now)();
  let slot: Slot | undefined;
  let phase: MetadataSource = 'window_creation';
  try {
    mkdirSync(place.folder, { recursive: true });
    const secrets = readSecrets(place.task.task, options.env ?? {});
    const acquired = await options.pool.acquire(options.signal);
    slot = acquired.slot;
    const { task } = place.task;
    await slot.witness.configure({
      ...(task.network ? { network: policyOf(place.task, options.allowHosts ?? []) } : {}),
      ...(task.setup?.viewport ? { determinism: { viewport: task.setup.viewport } } : {}),
    });
    phase = 'mcp_tool';
    const attached = await bench.attach(slot);
    phase = 'agent_execution';
    const agent = options.agent(place.task, options.profile, attached);
    const { proof } = acquired;
    const server = serverUnderTest(attached, slot, options.isolation);
    const onObservation = (seen: Observation): void => {
      bench.latest = seen;
    };
    return await runEpisode(
      task,
      agent,
      { ...server, onObservation },
      {
        runId: options.folder.runId,
        folder: place.folder,
        trial: place.trial,
        attempt: place.attempt,
        ...(place.task.dataset === undefined ? {} : { dataset: place.task.dataset }),
        secrets,
        environment: { ...options.environment, browser: browserOf(slot) },
        reset: {
          ok: proof.clean,
          findings: proof.findings,
          fingerprint: proof.fingerprint,
          durationMs: Math.round(performance.now() - started),
        },
        ...(options.untilDone === undefined ? {} : { untilDone: options.untilDone }),
        ...(options.screenshots === undefined ? {} : { screenshots: options.screenshots }),
        ...(options.allowGuarded === undefined ? {} : { allowGuarded: options.allowGuarded }),
        ...(options.signal ? { signal: options.signal } : {}),
        ...(options.now ? { now: options.now } : {}),
        exemplars: readExemplars(place.task),
        onEvent: (event) => options.onEvent?.(event, place.task),
      },
    );
  } catch (error) {
    // Nothing failed: the run was stopped before the episode had begun.
    if (options.signal?.aborted && !existsSync(path.join(place.folder, 'events.jsonl')))
      return { status: 'stopped', reason: 'The run was stopped.' };
    const reason = withoutSecrets(messageOf(error), place.task, options);
    if (isWriteFailure(error)) return { status: 'not_begun', reason, unwritten: error };
    const unwritten = noteUnbegun(place, { source: phase, message: reason, startedAt: begun }, options);
    return { status: 'not_begun', reason, ...(unwritten ? { unwritten } : {}) };
  } finally {
    await bench.letGo();
    await slot?.release().catch(() => {});
  }
}

/** The error may quote what a server said. */
function withoutSecrets(text: string, { task }: LoadedTask, { env = {} }: SuiteOptions): string {
  const known = Object.fromEntries((task.secrets ?? []).map((name) => [name, env[name] ?? '']));
  return new Secrets(known).text(text);
}

/** Where there is a journal, the metadata was folded from it. Gives the error where it can't be written. */
function noteUnbegun(
  place: AttemptFolder,
  why: { source: MetadataSource; message: string; startedAt: number },
  { now = Date.now, agentKind = 'scripted' }: SuiteOptions,
): WaymarkError | undefined {
  if (existsSync(path.join(place.folder, 'events.jsonl'))) return undefined;
  const { task, dataset = '' } = place.task;
  const metadata = unbegunMetadata({ task, dataset, ...why, endedAt: now(), agent: { kind: agentKind } });
  try {
    putJson(path.join(place.folder, 'metadata.json'), metadata);
    return undefined;
  } catch (error) {
    if (error instanceof WaymarkError) return error;
    throw error;
  }
}

/** A worker's server: kept from episode to episode where it can be. */
class ServerLease {
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
  const { product, kind } = slot.host.browser.identity;
  return { product, kind };
}
