/** The caps of a run on what its models use: per attempt, which the attempt enforces, and in all, after which no attempt is begun. */
import type { RunInputs } from '../events/index.ts';

interface Caps {
  readonly maxTokens?: number;
  /** US dollars. */
  readonly maxCost?: number;
}

export interface RunCaps {
  readonly attempt: Caps;
  readonly run: Caps;
}

interface CapChoices {
  readonly maxTokens?: number | undefined;
  readonly maxCost?: number | undefined;
  readonly maxRunTokens?: number | undefined;
  readonly maxRunCost?: number | undefined;
}

export function capsOf({ maxTokens, maxCost, maxRunTokens, maxRunCost }: CapChoices): RunCaps {
  return { attempt: caps(maxTokens, maxCost), run: caps(maxRunTokens, maxRunCost) };
}

function caps(maxTokens: number | undefined, maxCost: number | undefined): Caps {
  return { ...(maxTokens === undefined ? {} : { maxTokens }), ...(maxCost === undefined ? {} : { maxCost }) };
}

/** Only the caps of an attempt have a say in its result; only where there are some, so that the inputs of other runs stay as they are. */
export function capsAsInputs({ attempt }: RunCaps): RunInputs['of'] {
  return {
    ...(attempt.maxTokens === undefined ? {} : { 'max-tokens': attempt.maxTokens }),
    ...(attempt.maxCost === undefined ? {} : { 'max-cost': attempt.maxCost }),
  };
}

/** What the attempts of a run have used, by their usage events. What a provider did not report is not counted. */
export class RunBudget {
  readonly #caps: Caps;
  #tokens = 0;
  #cost = 0;

  constructor({ run }: RunCaps) {
    this.#caps = run;
  }

  add(event: unknown): void {
    const { type, role, inputTokens, outputTokens, costUsd } = Object(event);
    if (type !== 'usage' || role === 'grader') return;
    this.#tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
    this.#cost += costUsd ?? 0;
  }

  /** Why no more attempts are begun; undefined while there is something left. */
  get exhausted(): string | undefined {
    const { maxTokens, maxCost } = this.#caps;
    if (maxTokens !== undefined && this.#tokens >= maxTokens)
      return `The run's budget of ${maxTokens} tokens is used up (${this.#tokens} were used).`;
    if (maxCost !== undefined && this.#cost >= maxCost)
      return `The run's budget of ${maxCost} US dollars is used up (${this.#cost.toFixed(4)} were used).`;
    return undefined;
  }
}
