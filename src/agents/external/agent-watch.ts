/** Decides when an agent that still runs is given up: it does not connect, or the provider of its model keeps failing. */
import type { Budget } from '../../episode/index.ts';
import { CallFailure } from '../../models/index.ts';
import { providerTrouble, type Trouble } from './provider-trouble.ts';

const WATCH_LIMITS = {
  /** From the start of the process to `tools/list`. */
  connectMs: 60_000,
  /** Of this, an agent may use at most half of the attempt's time: what never connected must not be counted as out of time. */
  connectShare: 0.5,
  /** How long a provider may fail while the agent tries again and calls no tool. */
  troubleMs: 45_000,
} as const;

export interface AgentWatchOptions {
  budget: Budget;
  /** Milliseconds that only grow. */
  clock: () => number;
  connectMs?: number | undefined;
}

export interface AgentState {
  isConnected: boolean;
  lastActivity: number;
}

export class AgentWatch {
  readonly #options: AgentWatchOptions;
  readonly #connectBy: number;
  readonly #connectMs: number;
  /** Since the last activity: the first and the newest sign of trouble. */
  #trouble: (Trouble & { line: string; first: number; last: number }) | undefined;

  constructor(options: AgentWatchOptions) {
    this.#options = options;
    const wanted = options.connectMs ?? WATCH_LIMITS.connectMs;
    this.#connectMs = Math.min(wanted, this.#timeLeft() * WATCH_LIMITS.connectShare);
    this.#connectBy = options.clock() + this.#connectMs;
  }

  /** A line of what the agent says of itself. */
  onLine(line: string): void {
    const trouble = providerTrouble(line);
    if (trouble === undefined) return;
    const now = this.#options.clock();
    const { code, means } = trouble;
    this.#trouble = { code, means, line, first: this.#trouble?.first ?? now, last: now };
  }

  /** The provider's failure, where the agent has called no tool after it. */
  trouble({ lastActivity }: Pick<AgentState, 'lastActivity'>): CallFailure | undefined {
    if (this.#trouble && this.#trouble.last < lastActivity) this.#trouble = undefined;
    if (!this.#trouble) return undefined;
    const { code, means, line } = this.#trouble;
    return new CallFailure(code, `the provider of its model ${means}: ${line.trim().slice(0, 300)}`);
  }

  /** Why the agent is given up now; undefined where it may go on. */
  verdict(state: AgentState): Error | undefined {
    const now = this.#options.clock();
    const trouble = this.trouble(state);
    if (this.#trouble && now - this.#trouble.first >= WATCH_LIMITS.troubleMs) return trouble;
    if (state.isConnected || now < this.#connectBy) return undefined;
    const seconds = Math.round(this.#connectMs / 100) / 10;
    return trouble ?? new Error(`it did not connect to the browser tools within ${seconds} seconds`);
  }

  #timeLeft(): number {
    const { used, limit = Number.POSITIVE_INFINITY } = this.#options.budget.time;
    return limit - used;
  }
}
