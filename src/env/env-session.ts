/** One session of an environment: an attempt whose agent waits for calls that come over HTTP. */
import type { Agent, AgentOutcome, Session, ToolCall } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { AttemptRef, EventOf, JournalEvent } from '../events/index.ts';
import type { AttemptEnd } from '../runs/local.ts';
import type { ToolResult } from '../tools/index.ts';

/** What the harness knows of the page and of the contract, by the newest events of the journal. */
export interface Known {
  evidence?: EventOf<'evidence'>;
  contract?: EventOf<'contract_eval'>;
}

export interface Stepped {
  /** Absent where the attempt had ended before the call was made. */
  result?: ToolResult;
  /** The attempt has ended. */
  done: boolean;
  /** It ended by a cap: of steps, or of time. */
  truncated: boolean;
}

export interface EnvSessionOptions {
  id: string;
  attempt: AttemptRef;
  /** What has a say in results, for the journal. */
  config: Readonly<Record<string, unknown>>;
  /** Said in the journal when the session begins. */
  warning: string | undefined;
}

export class EnvSession {
  readonly id: string;
  readonly attempt: AttemptRef;
  readonly known: Known = {};
  /** Resolves when the start page is shown. Rejects where the attempt could not be begun. */
  readonly begun: Promise<Session>;
  /** Resolves when the attempt has ended and its files are written. */
  readonly ended: Promise<AttemptEnd>;
  readonly #options: EnvSessionOptions;
  #earned = 0;
  readonly #begin = Promise.withResolvers<Session>();
  readonly #end = Promise.withResolvers<AttemptEnd>();
  readonly #outcome = Promise.withResolvers<AgentOutcome>();

  constructor(options: EnvSessionOptions) {
    this.#options = options;
    this.id = options.id;
    this.attempt = options.attempt;
    this.begun = this.#begin.promise;
    this.ended = this.#end.promise;
    // The client that asked for the session is told; nothing else waits for it.
    this.begun.catch(() => {});
  }

  get agent(): Agent {
    return {
      kind: 'env',
      config: this.#options.config,
      run: async (session) => {
        const { warning } = this.#options;
        if (warning !== undefined) session.say({ type: 'warning', source: 'agent_execution', message: warning });
        this.#begin.resolve(session);
        session.signal.addEventListener('abort', () => this.#outcome.resolve({}), { once: true });
        return this.#outcome.promise;
      },
    };
  }

  onEvent(event: JournalEvent): void {
    if (event.type === 'evidence') this.known.evidence = event;
    else if (event.type === 'contract_eval') this.known.contract = event;
    else if (event.type === 'reward') this.#earned += event.contribution ?? event.score;
  }

  /** What the episode's sum has grown by since it was last taken. */
  takeReward(): number {
    const earned = Math.round(this.#earned * 1e6) / 1e6;
    this.#earned = 0;
    return earned;
  }

  onEnd(end: AttemptEnd): void {
    this.#begin.reject(new WaymarkError({ code: 'env_session_failed', message: end.reason }));
    this.#end.resolve(end);
  }

  async step(call: ToolCall): Promise<Stepped> {
    const session = await this.begun;
    let result: ToolResult | undefined;
    try {
      result = await session.step(call);
    } catch (error) {
      if (!(error instanceof WaymarkError && error.code === 'attempt_ended')) throw error;
    }
    const given = result === undefined ? {} : { result };
    if (!session.signal.aborted) return { ...given, done: false, truncated: false };
    const { status } = await this.ended;
    return { ...given, done: true, truncated: status === 'max_steps' || status === 'timeout' };
  }

  /** The client is done, with or without an answer. Resolves when the attempt has ended. */
  async finish(answer: string | undefined): Promise<AttemptEnd> {
    this.#outcome.resolve(answer === undefined ? {} : { answer });
    return this.ended;
  }
}
