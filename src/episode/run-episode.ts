/** One episode from its reset to its stop. Whatever happens, the journal ends with a `stop` that says what and why. */

import type { EpisodeTaskSpec } from '../cases/index.ts';
import { taskHash } from '../cases/index.ts';
import { contractHash, type Facts } from '../contracts/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { EventOf, EventType, NewEvent, TaskStart } from '../events/index.ts';
import { Journal } from '../journal/index.ts';
import { CallFailure } from '../models/call-failure.ts';
import type { OpenedModel } from '../models/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import { type Agent, agentOutcomeSchema } from './agent.ts';
import { type AgentHooks, HookListener } from './agent-hooks.ts';
import { AppStates, type StateHeaders } from './app-states.ts';
import { Attempt } from './attempt.ts';
import { type Stop, stopOf } from './endings.ts';
import { EpisodeFiles } from './episode-files.ts';
import { settled } from './faults.ts';
import { ATTEMPT_LIMITS } from './limits.ts';
import { PictureStore } from './picture-store.ts';
import { type RecoveryOptions, RecoverySearch } from './recovery/recovery-search.ts';
import { RequestLog } from './request-log.ts';
import { readSecrets, Secrets, type SecretValues } from './secrets.ts';
import type { ServerUnderTest } from './under-test.ts';
import { watchAttempt } from './watch-attempt.ts';

type Writer = Pick<Journal, 'append'>;

export interface RunEpisodeOptions {
  runId: string;
  /** Of this episode: messages.jsonl, ledger.jsonl, metadata.json and screenshots/ go there. */
  folder: string;
  /** Of this episode; without one, events.jsonl is made in the folder. */
  journal?: Writer;
  trial?: number;
  attempt?: number;
  /** The collection that the task is from. */
  dataset?: string;
  environment: TaskStart['environment'];
  /** The proof that the slot was clean when it was acquired. */
  reset: Omit<NewEvent<'reset'>, 'type'>;
  /** For reading the state of the application. */
  stateHeaders?: StateHeaders;
  /** The agent must report that it is done, and does not learn that the contract holds. */
  untilDone?: boolean;
  screenshots?: boolean;
  /** Values of what the task names as its secrets. */
  secrets?: SecretValues;
  /** Values that the agent was given and that stand in no file, by the names that stand in their place: keys. No call can name them. */
  hidden?: SecretValues;
  /** Actions that need approval are let through. */
  allowGuarded?: boolean;
  /** From outside: Ctrl-C. */
  signal?: AbortSignal;
  now?: () => number;
  callTimeoutMs?: number;
  /** Caps on what the agent's models use, by what it says of them. */
  maxTokens?: number;
  /** US dollars. */
  maxCost?: number;
  /** Lanes of the attempt, `main` included. */
  maxLanes?: number;
  onEvent?: (event: unknown) => void;
  /** The agent has ended. What follows is the harness's: the time in which a pass must hold, the last look, the files. */
  onAgentEnded?: () => void;
  /** Functions that watch the agent. One that fails or stalls becomes a warning. */
  hooks?: AgentHooks | undefined;
  exemplars?: NonNullable<Facts['exemplars']>;
  /** Answers the questions of `image_qa`. */
  imageModel?: OpenedModel;
  /** Recovery search: replays of the attempt, and where they are made. */
  recovery?: RecoveryOptions;
}

/**
 * @example
 * const { status, reason } = await runEpisode(task, agent, serverUnderTest(attached, slot, 'context'), { runId, folder, environment, reset });
 */
export async function runEpisode(
  task: EpisodeTaskSpec,
  agent: Agent,
  server: ServerUnderTest,
  options: RunEpisodeOptions,
): Promise<Stop> {
  const now = options.now ?? Date.now;
  const secrets = new Secrets(readSecrets(task, options.secrets ?? {}), options.hidden);
  let ended = false;
  await using own = options.journal ? undefined : Journal.create(`${options.folder}/events.jsonl`, { now });
  const file = options.journal ?? (own as Journal);
  const warn = (source: string, message: string): void => {
    // Nothing follows a stop. What is missing in the files then is made again by `waymark report`.
    if (!ended) journal.append({ type: 'warning', source, message });
  };
  await using files = new EpisodeFiles(options.folder, warn);
  using hooks = new HookListener(options.hooks ?? {}, (message) => warn('message_logging', message));
  const recovery = options.recovery && new RecoverySearch(task, secrets, options.recovery);
  const journal: Writer = {
    append<T extends EventType>(event: NewEvent<T> & { type: T }): EventOf<T> {
      // Secrets are removed from every event here, whichever part made it.
      const written = file.append<T>(secrets.redact(event));
      files.add(written);
      recovery?.add(written);
      options.onEvent?.(written);
      hooks.on(written);
      return written;
    },
  };
  const end = (how: Stop): Stop => {
    for (const note of server.notes()) journal.append({ type: 'warning', ...note });
    ended = true;
    return stop(journal, how);
  };
  journal.append(startOf(task, agent, server, options));
  journal.append({ type: 'reset', ...options.reset });
  if (!options.reset.ok) {
    const reason = `The browser was not clean: ${options.reset.findings.join('; ')}.`;
    return end({ status: 'tool_error', cause: 'reset', reason });
  }
  const { folder, signal, stateHeaders } = options;
  const states = AppStates.of(task, { server, journal, secrets, folder, signal, stateHeaders });
  // The agent's time has not begun.
  await states?.read('before');
  const untilDone = options.untilDone === true;
  await using attempt = new Attempt({
    task,
    server,
    journal,
    pictures: options.screenshots === false ? undefined : new PictureStore(`${options.folder}/screenshots`),
    untilDone,
    secrets,
    allowGuarded: options.allowGuarded,
    callTimeoutMs: options.callTimeoutMs,
    exemplars: options.exemplars,
    imageModel: options.imageModel,
    signal: options.signal,
    maxTokens: options.maxTokens,
    maxCost: options.maxCost,
    maxLanes: options.maxLanes,
    recovery,
  });
  using requests = RequestLog.of(task, server.witness, journal);
  const unwatch = watchAttempt(attempt, server, options.signal);
  const driving = drive(attempt, agent);
  try {
    const first = await attempt.ended;
    // Nothing may run after the verdict, so the agent and its pending calls are aborted and awaited.
    await settled(Promise.all([driving, attempt.idle()]));
    await disposed(agent, (message) => warn('cleanup', message));
    options.onAgentEnded?.();
    // What the agent said while it settled may name another reason.
    const ending = attempt.ending ?? first;
    if (ending.by === 'crash') throw ending.error;
    const isFault = ending.by === 'fault' && ending.isUnanswered !== true;
    const lookMs = isFault ? ATTEMPT_LIMITS.faultLookMs : ATTEMPT_LIMITS.finalLookMs;
    const isAlive = server.isBrowserAlive();
    const held = isAlive ? await attempt.finish(lookMs) : { verdict: attempt.main.verdict };
    await requests?.close(
      lookMs,
      isAlive ? undefined : 'The browser had ended before the attempt did.',
      options.signal,
    );
    // After the last look: nothing of it is evidence.
    await states?.read('after');
    // A contract that is decided at the end is decided by the agent's saying that it is done, too.
    const about = { steps: attempt.steps, untilDone: untilDone || attempt.isDecidedAtEnd };
    return end(stopOf(ending, { ...held, isBrowserLost: !server.isBrowserAlive() }, about));
  } finally {
    unwatch();
  }
}

/** What an agent can't end is told in the journal, and costs the attempt nothing. */
async function disposed(agent: Agent, warn: (message: string) => void): Promise<void> {
  const disposing = Promise.resolve(agent[Symbol.asyncDispose]?.()).catch((error: unknown) => warn(messageOf(error)));
  await settled(disposing, ATTEMPT_LIMITS.disposeMs);
}

/** Shows the start page and lets the agent run. However that goes, the attempt has ended afterwards. */
async function drive(attempt: Attempt, agent: Agent): Promise<void> {
  try {
    await attempt.start();
  } catch (error) {
    attempt.fail(error);
    return;
  }
  try {
    const outcome = agentOutcomeSchema.safeParse(await agent.run(attempt.session()));
    if (!outcome.success) throw new Error('it returned something other than { answer, note, exhausted }');
    const { exhausted, answer, note } = outcome.data;
    attempt.close(exhausted === undefined ? { by: 'done', answer, note } : { by: 'cap', sentence: exhausted, answer });
  } catch (cause) {
    // Steps that were admitted before the last one was refused are still under way; the attempt ends with them.
    if (cause instanceof WaymarkError && cause.code === 'attempt_ended') await attempt.idle();
    attempt.fail(faultOf(cause));
  }
}

/** What ended an agent: its own error, unless it says that its model's provider or the tool server is at fault. */
function faultOf(cause: unknown): WaymarkError {
  if (cause instanceof WaymarkError && cause.code === 'action_unsupported') return cause;
  if (cause instanceof CallFailure)
    return new WaymarkError({
      code: 'model_call_failed',
      message: `The model could not be asked: ${cause.message}`,
      cause,
    });
  return new WaymarkError({ code: 'adapter_error', message: `The agent failed: ${messageOf(cause)}`, cause });
}

function stop(journal: Writer, how: Stop): Stop {
  // As it was written: without secrets.
  const { seq: _seq, time: _time, cut: _cut, type: _type, ...written } = journal.append({ type: 'stop', ...how });
  return written;
}

function startOf(
  task: EpisodeTaskSpec,
  agent: Agent,
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
    agent: { kind: agent.kind, ...(agent.config === undefined ? {} : { config: agent.config }) },
    server: { name: server.name, version: server.version, transport: server.transport, isolation: server.isolation },
    environment: options.environment,
    hasProgressStatus: server.hasProgressStatus,
    ...(options.recovery ? { recovery: { replays: options.recovery.replays } } : {}),
  };
}
