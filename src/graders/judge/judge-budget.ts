/** What judges may use while a run is graded: requests and money in all, and requests per grade. */
import type { ModelUsage } from '../../events/index.ts';
import { JudgeProblem } from './judge.ts';

export interface JudgeLimits {
  /** Requests in all, retries included. */
  readonly maxCalls: number;
  /** All votes of the grade together. */
  readonly maxCallsPerGrade: number;
  /** US dollars in all. Requests that are under way when it is reached are still paid: it may be exceeded by their cost. */
  readonly maxUsd: number;
}

const DEFAULTS: JudgeLimits = { maxCalls: 20_000, maxCallsPerGrade: 1_000, maxUsd: 50 };

export class JudgeBudget {
  readonly limits: JudgeLimits;
  #calls = 0;
  #usd = 0;

  constructor(limits: Partial<JudgeLimits> = {}) {
    this.limits = { ...DEFAULTS, ...limits };
  }

  /** Takes one request before it is made, so that requests that are made at once can't exceed the cap together. */
  take(): void {
    const { maxCalls, maxUsd } = this.limits;
    if (this.#calls >= maxCalls) throw new JudgeProblem(`The ${maxCalls} calls that grading may make are used up.`);
    if (this.#usd >= maxUsd)
      throw new JudgeProblem(
        `The ${maxUsd} US dollars that grading may cost are used up (${this.#usd.toFixed(4)} were used).`,
      );
    this.#calls += 1;
  }

  /** What a reply cost; an unknown cost counts as none. */
  charge({ costUsd = 0 }: Pick<ModelUsage, 'costUsd'>): void {
    this.#usd += costUsd;
  }

  get used(): { readonly calls: number; readonly usd: number } {
    return { calls: this.#calls, usd: this.#usd };
  }
}
