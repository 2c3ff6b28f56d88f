/** One episode from its reset to its stop. Whatever happens, the journal ends with a `stop` that says what and why. */

import type { EpisodeTaskSpec } from '../cases/index.ts';
import { taskHash } from '../cases/index.ts';
import type { Observation } from '../chromium/index.ts';
import { contractHash, type Facts } from '../contracts/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { EventOf, EventType, NewEvent } from '../events/index.ts';
import { Journal } from '../journal/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import {
  type Adapter,
  type AdapterContext,
  type NextMove,
  nextMoveSchema,
  type StepOutcome,
  type ToolCall,
} from './adapter.ts';
import { Episode } from './episode.ts';
import { EpisodeFiles } from './episode-files.ts';
import { aborted, browserLost, faultOf, losses, type Stop, settled } from './faults.ts';
import { PictureStore } from './picture-store.ts';
import { readSecrets, Secrets, type SecretValues } from './secrets.ts';
import { PROGRESS_TOOL, type ServerUnderTest } from './under-test.ts';

/** The last look of an episode may wait for a page; after a fault it must not delay the end. */
const FINAL_LOOK_MS = 2_000;
const FAULT_LOOK_MS = 400;

type Writer = Pick<Journal, 'append'>;

export interface RunEpisodeOptions {
  runId: string;
  /** Of this episode: ledger.jsonl, metadata.json and screenshots/ go there. */
  folder: string;
  /** Of this episode; without one, events.jsonl is made in the folder. */
  journal?: Writer;
  trial?: number;
  attempt?: number;
  /** The collection that the task is from. */
  dataset?: string;
  environment: NewEvent<'start'>['environment'];
  /** The proof that the slot was clean when it was acquired. */
  reset: Omit<NewEvent<'reset'>, 'type'>;
  /** The agent must say that it is done, and is not told that the contract holds. */
  untilDone?: boolean;
  screenshots?: boolean;
  /** Values of what the task names as its secrets. */
  secrets?: SecretValues;
  /** Actions that need a gate are let through. */
  allowGuarded?: boolean;
  /** From outside: Ctrl-C. */
  signal?: AbortSignal;
  now?: () => number;
  callTimeoutMs?: number;
  onEvent?: (event: unknown) => void;
  onObservation?: (seen: Observation) => void;
  exemplars?: NonNullable<Facts['exemplars']>;
}

/** The deadline's own mark: whatever rejects because of it is a timeout and not a fault. */
const TIME_IS_UP = new WaymarkError({ code: 'episode_timeout', message: 'The episode ran out of time.' });

export async function runEpisode(
  task: EpisodeTaskSpec,
  adapter: Adapter,
  server: ServerUnderTest,
  options: RunEpisodeOptions,
): Promise<Stop> {
  const now = options.now ?? Date.now;
  const secrets = new Secrets(readSecrets(task, options.secrets ?? {}));
  await using own = options.journal ? undefined : Journal.create(`${options.folder}/events.jsonl`, { now });
  const file = options.journal ?? (own as Journal);
  await using files = new EpisodeFiles(options.folder);
  const journal: Writer = {
    append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
      // Whatever the event and whoever made it: no value of a secret gets past here.
      const written = file.append(secrets.redact(event));
      files.add(written);
      options.onEvent?.(written);
      return written;
    },
  };
  journal.append(startOf(task, adapter, server, options));
  journal.append({ type: 'reset', ...options.reset });
  if (!options.reset.ok) {
    const reason = `The browser was not clean: ${options.reset.findings.join('; ')}.`;
    return stop(journal, { status: 'tool_error', cause: 'reset', reason });
  }
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(TIME_IS_UP), task.maxDurationMs);
  const signal = options.signal ? AbortSignal.any([deadline.signal, options.signal]) : deadline.signal;
  const pictures = options.screenshots === false ? undefined : new PictureStore(`${options.folder}/screenshots`);
  const episode = new Episode({
    task,
    server,
    journal,
    pictures,
    signal,
    now,
    secrets,
    allowGuarded: options.allowGuarded,
    callTimeoutMs: options.callTimeoutMs,
    onObservation: options.onObservation,
    exemplars: options.exemplars,
  });
  const driving = drive(episode, task, adapter, server, signal, options.untilDone === true);
  try {
    const ending = await Promise.race([driving, losses(server), aborted(signal)]).catch(
      (error: unknown): Ending => ({ by: 'fault', stop: faultOf(error, server, deadline.signal, options.signal) }),
    );
    // Nothing drives on behind the verdict: calls are refused from here, and whoever waits for one is told.
    episode.close();
    clearTimeout(timer);
    deadline.abort(TIME_IS_UP);
    await settled(driving);
    return stop(journal, await conclude(episode, ending, server));
  } finally {
    clearTimeout(timer);
  }
}

/** How the driving ended; the verdict is still to come. */
type Ending =
  | { by: 'done'; untilDone: boolean; answer?: string; note?: string }
  | { by: 'pass' }
  | { by: 'max_steps' }
  | { by: 'guard'; gate: string }
  | { by: 'fault'; stop: Stop };

/** Asks and steps until something ends it. */
async function drive(
  episode: Episode,
  task: EpisodeTaskSpec,
  adapter: Adapter,
  server: ServerUnderTest,
  signal: AbortSignal,
  untilDone: boolean,
): Promise<Ending> {
  await episode.start();
  // No more than this: who is judged by the contract does not get to read it.
  const { id, title, goal, startUrl, maxSteps, secrets } = task;
  const told = { id, title, goal, startUrl, maxSteps, ...(secrets === undefined ? {} : { secrets }) };
  let last: StepOutcome | undefined;
  for (;;) {
    const { tools } = server.client;
    const locate = (call: ToolCall) => episode.locate(call);
    const move = await ask(adapter, { task: told, tools, last, steps: episode.steps, signal, locate });
    if ('done' in move) {
      const { answer, note } = move;
      const said = { ...(answer === undefined ? {} : { answer }), ...(note === undefined ? {} : { note }) };
      return { by: 'done', untilDone, ...said };
    }
    const { canonical, ...call } = move;
    const { result, verdict, stoppedBy } = await episode.step(call, canonical);
    // Servers answer a dead browser with ordinary errors; the harness knows better.
    if (!server.isBrowserAlive()) throw browserLost('its connection ended');
    if (stoppedBy !== undefined) return { by: 'guard', gate: stoppedBy };
    if (verdict === 'pass' && !untilDone) return { by: 'pass' };
    if (episode.steps >= task.maxSteps) return { by: 'max_steps' };
    last = { result };
  }
}

/** The final look, and the status that it makes of the ending. */
async function conclude(episode: Episode, ending: Ending, server: ServerUnderTest): Promise<Stop> {
  const held = episode.verdict;
  const isFault = ending.by === 'fault';
  const verdict = server.isBrowserAlive() ? await episode.finish(isFault ? FAULT_LOOK_MS : FINAL_LOOK_MS) : held;
  const fails = `the contract ${verdict === 'inconclusive' ? 'is inconclusive' : 'does not pass'}`;
  switch (ending.by) {
    case 'fault':
      return ending.stop;
    case 'guard':
      return {
        status: 'failed',
        cause: 'guard',
        reason: `The agent asked for what needs a gate, and the gate was closed: ${ending.gate}.`,
      };
    case 'pass':
      return { status: 'passed', reason: passedAfter(episode.steps) };
    case 'max_steps':
      if (verdict === 'pass')
        return { status: 'passed', reason: `The contract passed at the last allowed step, ${episode.steps}.` };
      return { status: 'max_steps', reason: `All ${episode.steps} steps were used, and ${fails}.` };
    case 'done': {
      const answer = ending.answer === undefined ? {} : { answer: ending.answer };
      if (verdict === 'pass') {
        // What the last step has set off may come a moment after the look at it. That must not make two reports of the same run.
        const asStep = !ending.untilDone && episode.steps > 0;
        const reason = asStep ? passedAfter(episode.steps) : 'The agent is done, and the contract passes.';
        return { status: 'passed', reason, ...answer };
      }
      const note = ending.note === undefined ? '' : ` ${ending.note}`;
      return { status: 'failed', reason: `The agent is done, and ${fails}.${note}`, ...answer };
    }
  }
}

function passedAfter(steps: number): string {
  return `The contract passed after step ${steps}.`;
}

async function ask(adapter: Adapter, context: AdapterContext): Promise<NextMove> {
  let move: NextMove;
  try {
    move = await adapter.next(context);
  } catch (cause) {
    // A lost server or a deadline that an adapter ran into is not the adapter's fault.
    if (
      context.signal.aborted ||
      (cause instanceof WaymarkError && /^(tool|episode|browser|journal)_/.test(cause.code))
    )
      throw cause;
    throw new WaymarkError({ code: 'adapter_error', message: `The adapter failed: ${messageOf(cause)}`, cause });
  }
  const parsed = nextMoveSchema.safeParse(move);
  if (parsed.success) return parsed.data;
  const sent = String(JSON.stringify(move)).slice(0, 200);
  throw new WaymarkError({
    code: 'adapter_error',
    message: `The adapter sent what is neither a tool call nor "done": ${sent}`,
  });
}

function stop(journal: Writer, how: Stop): Stop {
  // As it was written: without secrets.
  const { seq: _seq, time: _time, cut: _cut, type: _type, ...written } = journal.append({ type: 'stop', ...how });
  return written;
}

function startOf(
  task: EpisodeTaskSpec,
  adapter: Adapter,
  server: ServerUnderTest,
  options: RunEpisodeOptions,
): NewEvent<'start'> & { type: 'start' } {
  return {
    type: 'start',
    runId: options.runId,
    taskId: task.id,
    ...(options.dataset === undefined ? {} : { dataset: options.dataset }),
    trial: options.trial ?? 1,
    attempt: options.attempt ?? 1,
    task,
    hashes: { task: taskHash(task), contract: contractHash(task.success), ...REWARD_PROVENANCE },
    agent: { kind: adapter.kind },
    server: { name: server.name, version: server.version, transport: server.transport, isolation: server.isolation },
    environment: options.environment,
    hasProgressStatus: server.client.tools.some(({ name }) => name === PROGRESS_TOOL),
  };
}
