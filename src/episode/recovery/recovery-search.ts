/**
 * Recovery search: after a failure or a stall, the call that the agent makes next and some that the harness proposes are tried in replays of
 * the attempt, and the one that earns most is carried out. The score knows the contract, so this is help by the harness: every journal and
 * report of such a run says so.
 */
import type { EpisodeTaskSpec } from '../../cases/index.ts';
import { messageOf } from '../../errors/index.ts';
import type { JournalEvent, NewEvent } from '../../events/index.ts';
import { summarizeArguments } from '../../reward/index.ts';
import type { CanonicalAction } from '../../tools/index.ts';
import type { AttemptContext, Recovery, WantedCall } from '../attempt-context.ts';
import { GuardedActions } from '../guarded-actions.ts';
import type { Secrets } from '../secrets.ts';
import type { ServerUnderTest } from '../under-test.ts';
import { AttemptPath, type Trouble } from './attempt-path.ts';
import { type Proposal, proposals } from './proposals.ts';
import { type Candidate, replay, type Trial } from './replay.ts';

export const DEFAULT_REPLAYS = 10;
export const MAX_REPLAYS = 1_000;
/** Candidates of one search, the agent's call included: one hard place must not use up all replays. */
const CANDIDATES = 5;

export interface RecoveryOptions {
  /** Replays that the attempt may have. */
  replays: number;
  /** A server like the attempt's own, started anew on a clean slot of its own. */
  openServer: (signal: AbortSignal) => Promise<ServerUnderTest & AsyncDisposable>;
}

type Tried = NewEvent<'recovery'>['candidates'][number];

export class RecoverySearch implements Recovery {
  readonly #task: EpisodeTaskSpec;
  readonly #secrets: Secrets;
  readonly #options: RecoveryOptions;
  readonly #path = new AttemptPath();
  readonly #guards: GuardedActions;
  /** By page and call: what was tried there. */
  readonly #known = new Map<string, Tried>();
  readonly #warned = new Set<string>();
  #used = 0;

  constructor(task: EpisodeTaskSpec, secrets: Secrets, options: RecoveryOptions) {
    this.#task = task;
    this.#secrets = secrets;
    this.#options = options;
    this.#guards = new GuardedActions(task.guardedActions);
  }

  /** Every event of the attempt. */
  add(event: JournalEvent): void {
    this.#path.add(event);
    if (event.type === 'tool_result') this.#guards.onAnswer(event.text);
  }

  async instead(wanted: WantedCall, attempt: AttemptContext): Promise<CanonicalAction | undefined> {
    const { trouble } = this.#path;
    if (trouble === undefined || this.#isLeftAlone(wanted, trouble, attempt)) return undefined;
    const { replays: limit } = this.#options;
    const obstacle = this.#path.obstacle ?? (this.#used >= limit ? `All ${limit} replays were used.` : undefined);
    if (obstacle !== undefined) {
      this.#warn(attempt, obstacle);
      return undefined;
    }
    return this.#search(wanted, trouble, attempt);
  }

  /** An agent that looks around after an error helps itself; and what it does about a guarded action is its own doing. */
  #isLeftAlone({ call, canonical }: WantedCall, trouble: Trouble, { server }: AttemptContext): boolean {
    return (trouble === 'error' && server.observes(call)) || this.#guards.needed(call, canonical) !== undefined;
  }

  async #search(wanted: WantedCall, trigger: Trouble, attempt: AttemptContext): Promise<CanonicalAction | undefined> {
    const began = performance.now();
    const { call, canonical, step } = wanted;
    const state = this.#path.page && attempt.scorer.fingerprint(this.#path.page);
    const trials: Tried[] = [await this.#try({ call, canonical }, undefined, state, attempt)];
    const actions: (CanonicalAction | undefined)[] = [undefined];
    // A call that makes progress by itself needs no help; and without its score, nothing can be said to be better.
    const own = trials[0]?.score;
    if (own !== undefined && own <= 0) {
      for (const { action, rank } of await this.#proposals(attempt)) {
        if (trials.length >= CANDIDATES || this.#used >= this.#options.replays || attempt.isEnded()) break;
        if (this.#known.has(keyOf(state, action))) continue;
        const trial = await this.#try({ action }, rank, state, attempt);
        trials.push(trial);
        actions.push(action);
        if (trial.verdict === 'pass') break;
      }
    }
    const chosen = bestOf(trials);
    attempt.journal.append({
      type: 'recovery',
      step,
      trigger,
      prefix: this.#path.calls.length,
      ...(state === undefined ? {} : { state }),
      candidates: trials,
      chosen,
      substituted: chosen > 0,
      replays: { used: this.#used, limit: this.#options.replays },
      durationMs: Math.round(performance.now() - began),
    });
    return actions[chosen];
  }

  async #try(
    candidate: Candidate,
    rank: Proposal['rank'] | undefined,
    state: string | undefined,
    attempt: AttemptContext,
  ): Promise<Tried> {
    const key = keyOf(state, 'call' in candidate ? candidate.call : candidate.action);
    const known = this.#known.get(key);
    if (known?.score !== undefined) return { ...known, outcome: 'known', calls: 0, durationMs: 0 };
    const trial = triedAs(candidate, rank, await this.#replay(candidate, attempt), this.#callOf(candidate, attempt));
    this.#known.set(key, trial);
    return trial;
  }

  async #replay(candidate: Candidate, attempt: AttemptContext): Promise<Trial> {
    this.#used++;
    const began = performance.now();
    // A replay has no more time than the attempt itself.
    const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(this.#task.maxDurationMs)]);
    try {
      await using server = await this.#options.openServer(signal);
      const { callTimeoutMs } = attempt;
      const stateOf = attempt.scorer.fingerprint.bind(attempt.scorer);
      const about = { task: this.#task, path: this.#path.calls, secrets: this.#secrets, callTimeoutMs, stateOf };
      return await replay({ ...about, candidate, signal }, server);
    } catch (error) {
      // The attempt itself goes on: a replay that has no browser or no server only is no help.
      return { outcome: 'failed', reason: messageOf(error), calls: 0, durationMs: performance.now() - began };
    }
  }

  async #proposals(attempt: AttemptContext): Promise<Proposal[]> {
    const { goal, guardedActions = [] } = this.#task;
    const { witness } = attempt.server;
    const { page } = this.#path;
    return proposals({
      goal,
      controls: await witness.controls({ signal: attempt.signal }),
      isDialogOpen: page?.page === 'dialog',
      hasMoved: page?.url !== this.#task.startUrl,
      isGuarded: guardedActions.length > 0,
      history: this.#path.history,
      callOf: (action) => {
        const call = this.#callOf({ action }, attempt);
        return {
          tool: call.tool,
          arguments: summarizeArguments(call.arguments),
          observes: attempt.server.observes(call),
        };
      },
    });
  }

  /** The call itself, or the one that an action becomes. An action whose element has to be found first is known by its own name until then. */
  #callOf(candidate: Candidate, { server }: AttemptContext): { tool: string; arguments: Record<string, unknown> } {
    if ('call' in candidate) return { tool: candidate.call.tool, arguments: candidate.call.arguments ?? {} };
    const { action, ...how } = candidate.action;
    const first = server.render(candidate.action).next();
    if (first.done || first.value.purpose === 'locate') return { tool: action, arguments: how };
    return { tool: first.value.tool, arguments: { ...first.value.args } };
  }

  #warn({ journal }: AttemptContext, sentence: string): void {
    if (this.#warned.has(sentence)) return;
    this.#warned.add(sentence);
    journal.append({ type: 'warning', source: 'recovery', message: `No recovery search was made. ${sentence}` });
  }
}

/** The highest score; among equals the first, which is the agent's own call. What sets the attempt back replaces nothing. */
function bestOf(trials: readonly Tried[]): number {
  let best = 0;
  for (const [index, { score }] of trials.entries()) {
    if (score !== undefined && score >= 0 && score > (trials[best]?.score ?? 0)) best = index;
  }
  return best;
}

function triedAs(
  candidate: Candidate,
  rank: Proposal['rank'] | undefined,
  trial: Trial,
  planned: { tool: string; arguments: Record<string, unknown> },
): Tried {
  const { tool, arguments: args } = trial.outcome === 'scored' ? trial.call : planned;
  const { outcome, calls, durationMs } = trial;
  return {
    from: 'action' in candidate ? 'ranker' : 'agent',
    tool,
    arguments: args,
    ...('action' in candidate ? { canonical: candidate.action } : {}),
    ...(rank ? { rank } : {}),
    outcome,
    ...(trial.outcome === 'scored'
      ? { score: trial.score, classification: trial.classification, verdict: trial.verdict }
      : { reason: trial.reason }),
    calls,
    durationMs: Math.round(durationMs),
  };
}

function keyOf(state: string | undefined, call: unknown): string {
  return JSON.stringify([state ?? null, call]);
}
