/** Counts what an attempt uses. Steps and looks are counted when they are admitted, so that callers at once can't overshoot a cap. */
import type { UsageMessage } from '../events/index.ts';
import type { Allowance, Budget, Spending } from './agent.ts';
import type { Deadline } from './deadline.ts';
import { ATTEMPT_LIMITS } from './limits.ts';

export interface BudgetLimits {
  steps: number;
  tokens?: number | undefined;
  /** US dollars. */
  cost?: number | undefined;
}

interface Spent {
  used: number;
  isComplete: boolean;
}

export class BudgetMeter implements Budget {
  readonly #limits: BudgetLimits;
  readonly #deadline: Deadline;
  #steps = 0;
  #looks = 0;
  #tokens: Spent = { used: 0, isComplete: true };
  #cost: Spent = { used: 0, isComplete: true };

  constructor(limits: BudgetLimits, deadline: Deadline) {
    this.#limits = limits;
    this.#deadline = deadline;
  }

  get steps(): Allowance {
    return { used: this.#steps, limit: this.#limits.steps };
  }

  get looks(): Allowance {
    return { used: this.#looks, limit: ATTEMPT_LIMITS.looks };
  }

  get time(): Allowance {
    return { used: this.#deadline.usedMs, limit: this.#deadline.limitMs };
  }

  get tokens(): Spending {
    return { ...this.#tokens, limit: this.#limits.tokens };
  }

  get cost(): Spending {
    return { ...this.#cost, limit: this.#limits.cost };
  }

  /** The step's number, from 1; undefined where all are used. */
  takeStep(): number | undefined {
    return this.#steps < this.#limits.steps ? ++this.#steps : undefined;
  }

  /** False where all looks are used. */
  takeLook(): boolean {
    return ++this.#looks <= ATTEMPT_LIMITS.looks;
  }

  /** Adds a usage; gives a sentence where a limit is used up by it. */
  charge({ inputTokens, outputTokens, costUsd }: UsageMessage): string | undefined {
    const { tokens, cost: dollars } = this.#limits;
    this.#tokens = plus(this.#tokens, inputTokens, outputTokens);
    this.#cost = plus(this.#cost, costUsd);
    if (tokens !== undefined && this.#tokens.used >= tokens) return `All ${tokens} tokens were used`;
    if (dollars !== undefined && this.#cost.used >= dollars)
      return `The cost limit of ${dollars} US dollars was reached`;
    return undefined;
  }
}

function plus({ used, isComplete }: Spent, ...amounts: (number | undefined)[]): Spent {
  return {
    used: amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), used),
    isComplete: isComplete && amounts.every((amount) => amount !== undefined),
  };
}
