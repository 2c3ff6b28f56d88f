/** One attempt at a browser task, from a clean slot to its stop. What fails in one never ends the others. */
import path from 'node:path';
import { type LoadedTask, runsUntilDone } from '../cases/index.ts';
import type { Pool, Slot } from '../chromium/index.ts';
import {
  type AgentHooks,
  MESSAGES_FILE,
  METADATA_FILE,
  readSecrets,
  runEpisode,
  Secrets,
  type SecretValues,
  type StateHeaders,
  type Stop,
  serverUnderTest,
} from '../episode/index.ts';
import { errorFault, type Fault, messageOf, WaymarkError } from '../errors/index.ts';
import {
  type AttemptRef,
  deciderOf,
  isLeftToGrader,
  type MetadataSource,
  messageLines,
  unbegunMessages,
  unbegunMetadata,
} from '../events/index.ts';
import { isWriteFailure, putJson, putText } from '../journal/index.ts';
import { type OutcomeClass, outcomeClass, outcomeOfFault } from '../metrics/index.ts';
import type { AttachedServer } from '../tools/index.ts';
import type { AgentChoice } from './agent-choice.ts';
import { configureSlot } from './configure-slot.ts';
import type { AttemptEnd, Steering } from './execution.ts';
import { readExemplars } from './exemplars.ts';
import { makeAgent } from './make-agent.ts';
import { openReplayServer } from './open-replay-server.ts';
import type { TaskRun } from './resolve-tasks.ts';
import { isTriedAgain, type RetryChoices } from './retries.ts';
import type { AttemptWriter, Claim, NotBegun, RetryInStore, RunStore } from './run-store.ts';
import type { TakenServer } from './tool-servers.ts';

export interface AttemptContext {
  run: TaskRun;
  store: RunStore;
  pool: Pool;
  /** Hosts that blocked and replayed tasks may still reach: the fixture's. */
  allowHosts: readonly string[];
  stateHeaders: StateHeaders | undefined;
  env: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal | undefined;
  now: () => number;
  onEvent: ((event: unknown, attempt: AttemptRef) => void) | undefined;
  hooks: AgentHooks | undefined;
  /** Other workers execute the run too: an attempt that one of them has taken over ends alone. */
  isShared: boolean;
  steering: Steering | undefined;
  /** Of a run that others execute too: its store counts them. */
  retriesInStore: RetryChoices;
}

/** @throws where the store can't be written: without a journal there is no evidence, and the next attempt's could not be written either. */
export async function attemptTask(
  claim: Claim,
  server: TakenServer,
  context: AttemptContext,
  onAgentEnded: () => void,
): Promise<AttemptEnd> {
  const { run, store, signal } = context;
  const loaded = run.tasks.get(claim.attempt.caseId);
  if (!loaded) throw new Error(`The plan has a case "${claim.attempt.caseId}" that was not loaded.`);
  const startedAt = context.now();
  const resetBegan = performance.now();
  let slot: Slot | undefined;
  let phase: MetadataSource = 'window_creation';
  let writer: AttemptWriter | undefined;
  let left: Promise<void> | undefined;
  /** A slot that can't be reset is replaced by the pool, which reports it. */
  const leave = (): Promise<void> => {
    left ??= server.giveBack().finally(() => slot?.release().catch(() => {}));
    return left;
  };
  try {
    const secrets = readSecrets(loaded.task, context.env);
    const acquired = await context.pool.acquire(signal);
    slot = acquired.slot;
    const determinism = await configureSlot(slot, loaded, { allowHosts: context.allowHosts, seed: claim.seed });
    phase = 'mcp_tool';
    const attached = await server.lease.attach(slot);
    phase = 'agent_execution';
    const exemplars = readExemplars(loaded);
    const { clean, findings, fingerprint } = acquired.proof;
    const durationMs = Math.round(performance.now() - resetBegan);
    // The proof is of the slot, which a server with its own browser does not use.
    const reset =
      attached.isolation === 'server'
        ? { ok: true, findings: [], unproved: true as const, durationMs }
        : { ok: clean, findings, fingerprint, durationMs };
    writer = await store.open(claim);
    using asked = context.steering?.watch(claim.attempt);
    const folder = folderOf(writer);
    const agent = makeAgent(run.agent, loaded, { folder, env: context.env });
    const stop = await runEpisode(loaded.task, agent, serverUnderTest(attached, slot, run.isolation), {
      runId: claim.attempt.runId,
      folder,
      journal: writer,
      trial: claim.attempt.trial,
      attempt: claim.attempt.attempt,
      ...(loaded.dataset === undefined ? {} : { dataset: loaded.dataset }),
      secrets,
      hidden: hiddenOf(run.agent, context.env),
      environment: {
        ...run.environment,
        browser: browserOf(attached),
        ...(determinism?.seed === undefined ? {} : { seed: determinism.seed }),
        ...(determinism ? { determinism } : {}),
      },
      reset,
      ...(context.stateHeaders ? { stateHeaders: context.stateHeaders } : {}),
      untilDone: run.untilDone || runsUntilDone(loaded.task),
      screenshots: run.screenshots,
      allowGuarded: run.allowGuarded,
      ...run.budget.attempt,
      ...signalOf(signal, writer.signal, asked?.signal),
      now: context.now,
      exemplars,
      ...(run.imageModel ? { imageModel: run.imageModel } : {}),
      ...(run.recoveryReplays === undefined
        ? {}
        : {
            recovery: {
              replays: run.recoveryReplays,
              openServer: (end) => openReplayServer(loaded, { ...context, seed: claim.seed }, end),
            },
          }),
      onEvent: (event) => context.onEvent?.(event, claim.attempt),
      onAgentEnded,
      hooks: context.hooks,
    });
    // The next attempt need not wait until this one is written. What goes wrong is thrown below.
    leave().catch(() => {});
    const outcome = knownOutcome(stop, reset, loaded);
    await writer.finish(retryOf(outcome, context));
    return { ...stop, outcome };
  } catch (error) {
    if (context.isShared && error instanceof WaymarkError && error.code === 'lease_lost')
      return { status: 'lost', reason: error.message };
    if (writer || isWriteFailure(error)) throw error;
    // Nothing failed: the run was stopped before the attempt had begun.
    if (signal?.aborted) {
      await store.giveUp(claim);
      return { status: 'stopped', reason: 'The run was stopped.' };
    }
    const reason = withoutSecrets(messageOf(error), loaded, context);
    const outcome = outcomeOfFault(errorFault(error) ?? PHASE_FAULTS[phase] ?? 'environment');
    await noteNotBegun(
      claim,
      loaded,
      { reason, outcome, ...retryOf(outcome, context) },
      { source: phase, startedAt },
      context,
    );
    return { status: 'not_begun', reason, outcome };
  } finally {
    await writer?.[Symbol.asyncDispose]();
    await leave();
  }
}

function retryOf(outcome: OutcomeClass | undefined, { retriesInStore }: AttemptContext): RetryInStore {
  return isTriedAgain(outcome, retriesInStore) ? { retries: retriesInStore.retries } : {};
}

/** What another grader than the contract decides is not known before it has graded; an attempt that was stopped has no outcome. */
function knownOutcome(
  { status, cause, interrupted }: Stop,
  reset: { ok: boolean },
  { task }: LoadedTask,
): OutcomeClass | undefined {
  if (interrupted) return undefined;
  const outcome = outcomeClass(status, reset.ok ? cause : 'reset');
  return deciderOf(task) !== undefined && isLeftToGrader(outcome) ? undefined : outcome;
}

function signalOf(...signals: readonly (AbortSignal | undefined)[]): { signal?: AbortSignal } {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length === 0 ? {} : { signal: AbortSignal.any(given) };
}

function folderOf({ folder }: AttemptWriter): string {
  if (folder !== undefined) return folder;
  throw new WaymarkError({
    code: 'store_no_files',
    message: 'This store keeps no files, and a browser task has some.',
  });
}

/** Whose fault it is where the error does not say. */
const PHASE_FAULTS: Readonly<Partial<Record<MetadataSource, Fault>>> = { mcp_tool: 'server', agent_execution: 'agent' };

async function noteNotBegun(
  claim: Claim,
  { task, dataset = '' }: LoadedTask,
  why: NotBegun,
  about: { source: MetadataSource; startedAt: number },
  { run, store, now }: AttemptContext,
): Promise<void> {
  const folder = await store.giveUp(claim, why);
  if (folder === undefined) return;
  const { kind, config } = run.agent;
  const agent = { kind, ...(config === undefined ? {} : { config }) };
  const { reason: message, outcome } = why;
  const { source, startedAt } = about;
  const ended = { message, startedAt, endedAt: now() };
  putJson(path.join(folder, METADATA_FILE), unbegunMetadata({ task, dataset, source, outcome, agent, ...ended }));
  const messages = unbegunMessages({ goal: task.goal, errorCode: source, ...ended });
  putText(path.join(folder, MESSAGES_FILE), messageLines(messages));
}

/** The error may quote what a server said. */
function withoutSecrets(text: string, { task }: LoadedTask, { run, env }: AttemptContext): string {
  const known = Object.fromEntries((task.secrets ?? []).map((name) => [name, env[name] ?? '']));
  return new Secrets(known, hiddenOf(run.agent, env)).text(text);
}

/** A shorter value is no key, but a word such as "none" for a server that takes any. */
const MIN_KEY_LENGTH = 8;

function hiddenOf({ keyVariables = [] }: AgentChoice, env: AttemptContext['env']): SecretValues {
  return Object.fromEntries(
    keyVariables.flatMap((name) => ((env[name] ?? '').length < MIN_KEY_LENGTH ? [] : [[name, env[name] ?? '']])),
  );
}

/** The browser that was driven: the slot's, or the server's own. */
function browserOf({ browser }: AttachedServer): { product: string; kind: string } {
  const { product, kind } = browser.identity;
  return { product, kind };
}
