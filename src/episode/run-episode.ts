/** One episode from its reset to its stop. Whatever happens, the journal ends with a `stop` that says what and why. */
import type { Observation } from '../chromium/index.ts';
import { contractHash, type Facts } from '../contracts/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import { Journal, type NewEvent } from '../journal/index.ts';
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
import { PictureStore } from './picture-store.ts';
import type { EpisodeTaskSpec } from './task.ts';
import { taskHash } from './task-hash.ts';
import { PROGRESS_TOOL, type ServerUnderTest } from './under-test.ts';

/** The last look of an episode may wait for a page; after a fault it must not delay the end. */
const FINAL_LOOK_MS = 2_000;
const FAULT_LOOK_MS = 400;
const SETTLE_MS = 300;

type Writer = Pick<Journal, 'append'>;
export type Stop = Omit<NewEvent<'stop'>, 'type'>;

export interface RunEpisodeOptions {
  runId: string;
  /** Of this episode: events.jsonl and screenshots/ go there. */
  folder: string;
  trial?: number;
  attempt?: number;
  environment: NewEvent<'start'>['environment'];
  /** The proof that the slot was clean when it was acquired. */
  reset: Omit<NewEvent<'reset'>, 'type'>;
  /** The agent must say that it is done, and is not told that the contract holds. */
  untilDone?: boolean;
  screenshots?: boolean;
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
  await using file = Journal.create(`${options.folder}/events.jsonl`, { now });
  const journal: Writer = {
    append(event) {
      const written = file.append(event);
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
    callTimeoutMs: options.callTimeoutMs,
    onObservation: options.onObservation,
    exemplars: options.exemplars,
  });
  const driving = drive(episode, task, adapter, server, signal, options.untilDone === true);
  try {
    const ending = await Promise.race([driving, losses(server), aborted(signal)]).catch((error: unknown) =>
      faultOf(error, server, deadline.signal, options.signal),
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
  const { id, title, goal, startUrl, maxSteps } = task;
  const told = { id, title, goal, startUrl, maxSteps };
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
    const { result, verdict } = await episode.step(call, canonical);
    // Servers answer a dead browser with ordinary errors; the harness knows better.
    if (!server.isBrowserAlive()) throw browserLost('its connection ended');
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

function faultOf(
  error: unknown,
  server: ServerUnderTest,
  deadline: AbortSignal,
  outside: AbortSignal | undefined,
): Ending {
  const because = (status: Stop['status'], reason: string, cause?: Stop['cause']): Ending => ({
    by: 'fault',
    stop: { status, reason, ...(cause === undefined ? {} : { cause }) },
  });
  if (outside?.aborted) return because('tool_error', 'The run was stopped from outside.', 'transport');
  if (deadline.aborted) return because('timeout', 'The time of the task was used up.');
  if (!server.isBrowserAlive()) return because('tool_error', messageOf(error), 'browser');
  const code = error instanceof WaymarkError ? error.code : '';
  if (code === 'adapter_error') return because('adapter_error', messageOf(error), 'adapter');
  if (code.startsWith('tool_')) return because('tool_error', messageOf(error), 'server');
  // A journal that can't be written, a bug of ours: not for an episode to swallow.
  throw error;
}

function stop(journal: Writer, how: Stop): Stop {
  journal.append({ type: 'stop', ...how });
  return how;
}

/** Rejects when the server or the browser is lost: nobody waits for an answer that can't come. */
function losses(server: ServerUnderTest): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  void server.client.lost.then((reason) => {
    reject(new WaymarkError({ code: 'tool_server_lost', message: `The tool server was lost: ${reason}` }));
  });
  void server.browserGone.then((reason) => reject(browserLost(reason)));
  return promise;
}

function browserLost(reason: string): WaymarkError {
  return new WaymarkError({ code: 'browser_lost', message: `The browser was lost: ${reason}.` });
}

function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise;
}

/** An agent that ignores its signal can't be made to stop; its calls are refused, and nobody waits for it longer than this. */
async function settled(driving: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, SETTLE_MS);
  await Promise.race([driving.catch(() => {}), promise]);
  clearTimeout(timer);
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
