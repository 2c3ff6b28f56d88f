/** What repeats: counts over the calls so far, as the reward wants them. */
import { type CallOfMove, moveOf } from '../metrics/index.ts';
import type { RecentCalls } from '../reward/index.ts';

export interface CallNames {
  /** What is done, with all arguments. */
  key: string;
  /** What is done to which element. */
  ref: string;
}

interface Past extends CallNames {
  isError: boolean;
  errorKind: string | undefined;
  digest: string;
}

/** The element that a call names, in whatever way its server does. */
const REF_FIELDS = ['ref', 'uid', 'target', 'selector', 'element', 'coordinate'] as const;

export class CallHistory {
  readonly #calls: Past[] = [];
  /** How often each state was come to, and the state that is shown now. */
  readonly #visits = new Map<string, number>();
  #state: string | undefined;
  #failure: string | undefined;

  /** What is known before this call's outcome is added. */
  recent({ key, ref }: CallNames, state: string | undefined): RecentCalls {
    const same = this.#calls.findLast((call) => call.key === key);
    return {
      sameCall: countBack(this.#calls, (call) => call.key === key),
      sameFailure: countBack(this.#calls, (call) => call.isError && call.ref === ref),
      sameState: state !== undefined && state !== this.#state ? (this.#visits.get(state) ?? 0) : 0,
      ...(this.#failure === undefined ? {} : { lastFailureKind: this.#failure }),
      ...(same ? { lastResultDigest: same.digest } : {}),
    };
  }

  add(call: {
    names: CallNames;
    isError: boolean;
    errorKind?: string | undefined;
    digest: string;
    state: string | undefined;
  }): void {
    const { names, isError, errorKind, digest, state } = call;
    this.#calls.push({ ...names, isError, errorKind, digest });
    if (isError) this.#failure = errorKind ?? 'unknown';
    else if (state !== this.#state) this.#failure = undefined;
    if (state !== undefined && state !== this.#state) this.#visits.set(state, (this.#visits.get(state) ?? 0) + 1);
    this.#state = state ?? this.#state;
  }
}

/** How a call is compared with others: by its canonical action where it has one, so that the same path has the same repeats on every server. */
export function namesOf(call: CallOfMove): CallNames {
  const { action, key } = moveOf(call);
  const named = Object(call.canonical).action === undefined ? call.arguments : call.canonical;
  return { key, ref: `${action} ${REF_FIELDS.map((field) => JSON.stringify(Object(named)[field])).join(' ')}` };
}

function countBack(calls: readonly Past[], holds: (call: Past) => boolean): number {
  let count = 0;
  while (count < calls.length && holds(calls[calls.length - 1 - count] as Past)) count++;
  return count;
}
