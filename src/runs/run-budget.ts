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

export interface UsedByRun {
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** What the attempts of a run have used, by their usage events. What a provider did not report is not counted. */
export class RunBudget {
  readonly #caps: Caps;
  readonly #usedByAll: (() => Promise<UsedByRun>) | undefined;
  #tokens = 0;
  #cost = 0;

  /** @param usedByAll where other workers execute the run too: what all of them have used. */
  constructor({ run }: RunCaps, usedByAll?: () => Promise<UsedByRun>) {
    this.#caps = run;
    this.#usedByAll = usedByAll;
  }

  add(event: unknown): void {
    const { type, role, inputTokens, outputTokens, costUsd } = Object(event);
    if (type !== 'usage' || role === 'grader') return;
    this.#tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
    this.#cost += costUsd ?? 0;
  }

  /** Why no more attempts are begun; undefined while there is something left. */
  async exhausted(): Promise<string | undefined> {
    const { maxTokens, maxCost } = this.#caps;
    if (maxTokens === undefined && maxCost === undefined) return undefined;
    const { tokens, cost } = (await this.#usedByAll?.()) ?? { tokens: this.#tokens, cost: this.#cost };
    if (maxTokens !== undefined && tokens >= maxTokens)
      return `The run's budget of ${maxTokens} tokens is used up (${tokens} were used).`;
    if (maxCost !== undefined && cost >= maxCost)
      return `The run's budget of ${maxCost} US dollars is used up (${cost.toFixed(4)} were used).`;
    return undefined;
  }
}
