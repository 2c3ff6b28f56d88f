/** `--retries n`: which attempts are followed by another one. The earlier attempt stays with its evidence; the last finished one counts. */
import type { AttemptRef, Cell, RunInputs } from '../events/index.ts';
import type { OutcomeClass } from '../metrics/index.ts';
import { cellKey } from './cell-key.ts';

/** Nothing that the agent did: a second try of these does not make the agent look better than it is. */
const RETRIED_FAULTS: readonly OutcomeClass[] = ['env_error', 'server_error'];

export interface RetryChoices {
  /** Further attempts of a cell, at most. */
  readonly retries?: number | undefined;
  /** Outcome classes that are tried again beside faults of the environment and the server. */
  readonly retryOn?: readonly OutcomeClass[] | undefined;
}

/** Only where outcomes of the agent are tried again, which makes results better; a fault that is tried again has no say in them. */
export function retriesAsInputs({ retries = 0, retryOn = [] }: RetryChoices): RunInputs['of'] {
  return retries > 0 && retryOn.length > 0 ? { retries, 'retry-on': [...retryOn].sort().join(',') } : {};
}

/** Whether an attempt that ended so is tried again, where another try is left. */
export function isTriedAgain(outcome: OutcomeClass | undefined, { retryOn = [] }: RetryChoices): boolean {
  return outcome !== undefined && (RETRIED_FAULTS.includes(outcome) || retryOn.includes(outcome));
}

export class Retries {
  readonly #most: number;
  readonly #choices: RetryChoices;
  readonly #made = new Map<string, number>();
  #waiting: Cell[] = [];

  constructor(choices: RetryChoices) {
    this.#most = choices.retries ?? 0;
    this.#choices = choices;
  }

  /** Whether the cell of this attempt gets another one. */
  add({ caseId, trial }: AttemptRef, outcome: OutcomeClass | undefined): boolean {
    const key = cellKey({ caseId, trial });
    const made = this.#made.get(key) ?? 0;
    if (!isTriedAgain(outcome, this.#choices) || made >= this.#most) return false;
    this.#made.set(key, made + 1);
    this.#waiting.push({ caseId, trial });
    return true;
  }

  /** Those that wait for their next attempt. They have their turn after all others: what was in the way may be gone by then. */
  take(): Cell[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}
