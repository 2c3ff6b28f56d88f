/** Everything that a model call needs from outside, so that tests and replays are exact. */
import type { LookupAddress } from 'node:dns';
import type { PinnedRequest } from '../net/index.ts';
import type { KeyAccess } from './key-access.ts';

export interface CallContext {
  /** Connects to the addresses that `assertPublicUrl` gave, and to no others. */
  readonly fetch: (url: string, request: PinnedRequest, addresses: readonly LookupAddress[]) => Promise<Response>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** The time of day: prices change. */
  readonly date: () => Date;
  /** Throws when a provider may not have this address (link-local, metadata, …). Asked before every request; gives the addresses to connect to. */
  readonly assertPublicUrl: (url: string) => readonly LookupAddress[] | Promise<readonly LookupAddress[]>;
  /** Resolves when a request may begin; asked before every one, retries too. */
  readonly turn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Which variables may hold the keys of stored providers; by default those of `DEFAULT_KEY_ACCESS`. */
  readonly keyAccess?: KeyAccess | undefined;
  readonly limits?: Partial<CallLimits> | undefined;
}

export interface CallLimits {
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A call is given up when the server asks for a longer wait than this. */
  readonly maxRetryAfterMs: number;
  readonly maxReplyBytes: number;
}

const DEFAULT_LIMITS: CallLimits = {
  attempts: 5,
  timeoutMs: 120_000,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  maxRetryAfterMs: 120_000,
  maxReplyBytes: 4_000_000,
};

export function limitsOf({ limits }: CallContext): CallLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}
