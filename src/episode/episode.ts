/**
 * The one step function. Every way to the tools goes through it: budget, journal, the call itself, the witness's look, the contract's verdict,
 * the reward, and the screenshot beside it.
 */
import { createHash } from 'node:crypto';
import type { EpisodeTaskSpec } from '../cases/index.ts';
import type { Observation } from '../chromium/index.ts';
import {
  type Contract,
  compactFacts,
  evaluateFacts,
  type Facts,
  type FactsNeeded,
  factsNeeded,
  type Verdict,
} from '../contracts/index.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';
import type { EvidenceBody } from '../events/index.ts';
import { boundText, StepScorer } from '../events/index.ts';
import type { Journal } from '../journal/index.ts';
import type { ToolResult } from '../tools/index.ts';
import { type ToolCall, toolCallSchema } from './adapter.ts';
import { EvidenceLog } from './evidence-log.ts';
import { GuardedActions } from './guarded-actions.ts';
import { factsFrom, type Moments } from './look-facts.ts';
import type { PictureStore } from './picture-store.ts';
import { refusal } from './refusal.ts';
import { Secrets } from './secrets.ts';
import { PROGRESS_TOOL, type ServerUnderTest } from './under-test.ts';

/** A call that gets no answer for this long, while the episode has time left, is a fault of the server. */
export const CALL_TIMEOUT_MS = 60_000;

export interface EpisodeOptions {
  task: EpisodeTaskSpec;
  server: ServerUnderTest;
  journal: Pick<Journal, 'append'>;
  pictures: PictureStore | undefined;
  /** Ends at the episode's deadline, or when the run is stopped. */
  signal: AbortSignal;
  now: () => number;
  callTimeoutMs?: number | undefined;
  /** The values of the task's secrets. */
  secrets?: Secrets | undefined;
  /** Actions that need a gate are let through. */
  allowGuarded?: boolean | undefined;
  /** By class: the hashes of its example pictures, for `screenshot_class`. */
  exemplars?: NonNullable<Facts['exemplars']> | undefined;
  /** Each look, as it is taken: the embedded server need not look again. */
  onObservation?: ((seen: Observation) => void) | undefined;
}

export interface Step {
  result: ToolResult;
  verdict: Verdict;
  /** The gate that the call needed and did not have: it was not sent. */
  stoppedBy?: string;
}

export class Episode {
  readonly #options: EpisodeOptions;
  readonly #contract: Contract;
  readonly #needed: FactsNeeded;
  readonly #scorer = new StepScorer();
  readonly #moments: Moments;
  readonly #evidence: EvidenceLog;
  readonly #gates: GuardedActions;
  readonly #secrets: Secrets;
  readonly #hasProgress: boolean;
  #closed = false;
  #steps = 0;
  #calls = 0;
  #verdict: Verdict = 'inconclusive';
  #last: EvidenceBody | undefined;
  /** What goes on while the agent thinks: the picture of the last step, and a second look that tells noise from news. */
  #aside: Promise<void> | undefined;
  #pictured: { file: string; hash: string; dom: string | undefined } | undefined;

  constructor(options: EpisodeOptions) {
    this.#options = options;
    this.#contract = options.task.success;
    this.#needed = factsNeeded(this.#contract);
    this.#moments = { contractEnter: options.now(), lastToolCall: options.now() };
    this.#evidence = new EvidenceLog(options.server.witness);
    this.#gates = new GuardedActions(options.task.gates);
    this.#secrets = options.secrets ?? new Secrets();
    this.#hasProgress = options.server.client.tools.some(({ name }) => name === PROGRESS_TOOL);
  }

  get steps(): number {
    return this.#steps;
  }

  get verdict(): Verdict {
    return this.#verdict;
  }

  /** Shows the start page through the server's own tool. The contract is looked at, but does not end anything here. */
  async start(): Promise<void> {
    const { server, task, journal } = this.#options;
    const plan = server.navigate(task.startUrl);
    let next = plan.next();
    while (!next.done) {
      const { tool, args } = next.value;
      const result = await this.#call({ tool, arguments: { ...args } }, 'harness');
      if (result.isError)
        journal.append({
          type: 'warning',
          source: 'navigation',
          message: result.text.slice(0, 500),
          callId: this.#callId(),
        });
      next = plan.next(result);
    }
    if (next.value.status !== 'done')
      journal.append({ type: 'warning', source: 'navigation', message: next.value.sentence });
    await this.#look(undefined, 'start');
    this.#beginAside(undefined);
  }

  /** A call of the agent: a step. Throws where there is no answer to give it (lost server, deadline). */
  async step(input: ToolCall, canonical?: unknown): Promise<Step> {
    const call = toolCallSchema.parse(input);
    // The last picture must show the last state, not what this call does to it.
    await this.#endAside();
    this.#steps++;
    const gate = this.#gates.needed(call, canonical);
    const result = await this.#call(call, 'agent', { canonical, gate });
    const callId = this.#callId();
    await this.#look(callId, 'step');
    this.#beginAside(callId, this.#options.server.observes(call));
    const isStopped = gate !== undefined && this.#options.allowGuarded !== true;
    return { result, verdict: this.#verdict, ...(isStopped ? { stoppedBy: gate } : {}) };
  }

  /** A call that only finds something out: no step, and nothing is judged by it. */
  async locate(input: ToolCall): Promise<ToolResult> {
    await this.#endAside();
    const call = toolCallSchema.parse(input);
    const gate = this.#gates.needed(call);
    return this.#call(call, 'harness', { gate });
  }

  /** Nothing goes to the server any more, whoever asks. */
  close(): void {
    this.#closed = true;
  }

  /** The last look, everything read anew; and the last picture, awaited. Both within the time given. */
  async finish(timeoutMs: number): Promise<Verdict> {
    this.close();
    // What still goes on beside a fault must not delay its end.
    await Promise.race([this.#endAside(), new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())]);
    await this.#look(undefined, 'final', { full: true, timeoutMs });
    await this.#picture(undefined, true, timeoutMs);
    return this.#verdict;
  }

  async #call(
    input: ToolCall,
    by: 'agent' | 'harness',
    about: { canonical?: unknown; gate?: string | undefined } = {},
  ): Promise<ToolResult> {
    const { server, journal, now, allowGuarded: openGates } = this.#options;
    if (this.#closed)
      throw new WaymarkError({ code: 'episode_closed', message: 'The episode has ended; the call was not sent.' });
    const { tool, arguments: args = {} } = input;
    const { canonical, gate } = about;
    this.#calls++;
    const callId = this.#callId();
    server.witness.mark();
    this.#moments.lastToolCall = now();
    const call = journal.append({
      type: 'tool_call',
      callId,
      step: by === 'agent' ? this.#steps : 0,
      tool,
      arguments: args,
      by,
      observes: server.observes({ tool, arguments: args }),
      ...(canonical === undefined ? {} : { canonical }),
      ...(gate === undefined ? {} : { destructive: true, gated: openGates === true }),
    });
    if (by === 'agent') this.#scorer.onCall(call);
    const closedGate = openGates === true ? undefined : gate;
    const refused = refusal({ gate: closedGate, unknown: this.#secrets.unknownIn(args), names: this.#secrets.names });
    const result = refused ?? (await this.#send(tool, args));
    this.#gates.onAnswer(result.text);
    const errorKind = result.isError ? (result.errorKind ?? server.failureKind(result)) : undefined;
    const event = journal.append({
      type: 'tool_result',
      callId,
      isError: result.isError,
      ...(errorKind === undefined ? {} : { errorKind }),
      ...boundText(result.text),
      contentTypes: [...result.blocks],
      durationMs: round(result.durationMs),
      digest: createHash('sha256').update(result.text).digest('hex').slice(0, 32),
    });
    if (by === 'agent') this.#scorer.onResult(event);
    return result;
  }

  /** The only place where secrets are what they are: put in on the way out, taken out on the way back. */
  async #send(tool: string, args: Record<string, unknown>): Promise<ToolResult> {
    const { server, signal, callTimeoutMs: timeoutMs = CALL_TIMEOUT_MS } = this.#options;
    return this.#secrets.result(await server.client.call(tool, this.#secrets.resolve(args), { signal, timeoutMs }));
  }

  async #askProgress(callId: string): Promise<void> {
    if (!this.#hasProgress) return;
    const { server, journal, signal } = this.#options;
    try {
      const { text, isError } = await server.client.call(PROGRESS_TOOL, {}, { signal, timeoutMs: 5_000 });
      const status = isError ? undefined : /\b(progressing|stalling|stuck)\b/.exec(text)?.[1];
      if (status) this.#scorer.onProgress(journal.append({ type: 'progress', callId, status }));
    } catch (error) {
      // The server's own word is no evidence; an episode does not fail for want of it.
      journal.append({ type: 'warning', source: 'mcp_tool', message: `${PROGRESS_TOOL}: ${messageOf(error)}`, callId });
    }
  }

  async #look(
    callId: string | undefined,
    phase: 'start' | 'step' | 'final',
    how: { full?: boolean; timeoutMs?: number } = {},
  ): Promise<void> {
    const { server, journal } = this.#options;
    const { witness } = server;
    const { domText, domCount, performance } = this.#needed;
    // At once: the one asks the page, the other the server's memory.
    const [seen] = await Promise.all([
      witness.observe({ domText, domCount, performance: performance.length > 0, ...how }),
      callId === undefined ? undefined : this.#askProgress(callId),
    ]);
    this.#options.onObservation?.(seen);
    const whole = {
      ...factsFrom(seen, witness, this.#needed, this.#moments),
      ...(this.#needed.screenshot ? await this.#pictureFacts() : {}),
    };
    // Judged as they are kept: judging the journal again must find the same.
    const facts = compactFacts(this.#contract, this.#secrets.redact(whole));
    this.#appendEvidence({ ...this.#evidence.take(seen, facts), ...(callId === undefined ? {} : { callId }) });
    const evidence = evaluateFacts(this.#contract, facts);
    this.#verdict = evidence.verdict;
    const event = journal.append({
      type: 'contract_eval',
      ...(callId === undefined ? {} : { callId }),
      phase,
      verdict: evidence.verdict,
      evidence,
    });
    const reward = this.#scorer.onVerdict(event);
    if (reward) journal.append({ type: 'reward', ...(callId === undefined ? {} : { callId }), ...reward });
  }

  /** Only where the contract asks what the page looks like: a picture and its hash cost many times a look. */
  async #pictureFacts(): Promise<Pick<Facts, 'screenshot' | 'exemplars' | 'unavailable'>> {
    const { server, exemplars } = this.#options;
    const known = exemplars ? { exemplars } : {};
    const shot = await server.witness.screenshot();
    if ('failed' in shot) return { ...known, unavailable: { screenshot: `There is no screenshot: ${shot.failed}.` } };
    try {
      return { ...known, screenshot: { hash: await server.hashOf(shot.data) } };
    } catch (error) {
      return { ...known, unavailable: { screenshot: messageOf(error) } };
    }
  }

  #appendEvidence(seen: EvidenceBody): void {
    const body = this.#secrets.redact(seen);
    const state = this.#scorer.fingerprint(body);
    const event = this.#options.journal.append({ ...body, ...(state === undefined ? {} : { state }) });
    this.#scorer.onEvidence(event);
    this.#last = body;
  }

  #beginAside(callId: string | undefined, onlyLooked = false): void {
    this.#aside = this.#goAside(callId, onlyLooked);
    // A journal that can't be written says so at the next step, where somebody listens.
    this.#aside.catch(() => {});
  }

  async #endAside(): Promise<void> {
    await this.#aside;
    this.#aside = undefined;
  }

  async #goAside(callId: string | undefined, onlyLooked: boolean): Promise<void> {
    await this.#picture(callId, onlyLooked);
    const { witness } = this.#options.server;
    const seen = await witness.observe();
    // Most pages keep still; only what moved by itself is worth an event.
    const moved = seen.state === 'ok' && this.#last?.page === 'ok' && seen.dom !== this.#last.digests?.dom;
    if (moved) this.#appendEvidence(this.#evidence.take(seen));
  }

  /** A page that was only looked at, and has not moved since its last picture, is not taken again: a picture is most of what a step costs. */
  async #picture(callId: string | undefined, mayReuse: boolean, timeoutMs?: number): Promise<void> {
    const { pictures, journal, server } = this.#options;
    if (!pictures) return;
    const dom = this.#last?.digests?.dom;
    const reused = mayReuse && dom !== undefined && dom === this.#pictured?.dom ? this.#pictured : undefined;
    const kept =
      reused ?? (await pictures.keep(() => server.witness.screenshot(timeoutMs === undefined ? {} : { timeoutMs })));
    const about = callId === undefined ? {} : { callId };
    if ('failed' in kept) {
      journal.append({ type: 'screenshot', ...about, ok: false, reason: kept.failed });
      return;
    }
    this.#pictured = { file: kept.file, hash: kept.hash, dom };
    journal.append({ type: 'screenshot', ...about, ok: true, file: `screenshots/${kept.file}`, hash: kept.hash });
  }

  #callId(): string {
    return `c${this.#calls}`;
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
