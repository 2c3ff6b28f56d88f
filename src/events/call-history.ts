/** What repeats: counts over the calls so far, as the reward wants them. */
import type { RecentCalls } from '../reward/index.ts';

interface Past {
  key: string;
  ref: string;
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
  recent(tool: string, args: Record<string, unknown>, state: string | undefined): RecentCalls {
    const key = keyOf(tool, args);
    const ref = refOf(tool, args);
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
    tool: string;
    args: Record<string, unknown>;
    isError: boolean;
    errorKind?: string | undefined;
    digest: string;
    state: string | undefined;
  }): void {
    const { tool, args, isError, errorKind, digest, state } = call;
    this.#calls.push({ key: keyOf(tool, args), ref: refOf(tool, args), isError, errorKind, digest });
    if (isError) this.#failure = errorKind ?? 'unknown';
    else if (state !== this.#state) this.#failure = undefined;
    if (state !== undefined && state !== this.#state) this.#visits.set(state, (this.#visits.get(state) ?? 0) + 1);
    this.#state = state ?? this.#state;
  }
}

function keyOf(tool: string, args: Record<string, unknown>): string {
  return `${tool} ${JSON.stringify(args)}`;
}

function refOf(tool: string, args: Record<string, unknown>): string {
  return `${tool} ${REF_FIELDS.map((field) => JSON.stringify(args[field])).join(' ')}`;
}

function countBack(calls: readonly Past[], holds: (call: Past) => boolean): number {
  let count = 0;
  while (count < calls.length && holds(calls[calls.length - 1 - count] as Past)) count++;
  return count;
}
