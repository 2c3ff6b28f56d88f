/** An endpoint that speaks OpenAI's chat completions, and what a call to it may cost. */
import type { LookupAddress } from 'node:dns';
import type { PinnedRequest } from '../net/index.ts';

export interface ApiProvider {
  readonly id: string;
  /** `https://api.example.com/v1`; `/chat/completions` is added. */
  readonly base_url: string;
  /** The name of an environment variable. Null: the endpoint takes no key. Keys are read when they are used, and kept nowhere. */
  readonly api_key_env: string | null;
}

/** What a name stood for when it was checked; undefined where nobody looked. */
export type Addresses = readonly LookupAddress[] | undefined;

/** Everything a call needs from outside, so that tests and replays are exact. */
export interface CallContext {
  /** Connects to the addresses that `assertPublicUrl` gave, where it gave some. */
  readonly fetch: (url: string, request: PinnedRequest, addresses: Addresses) => Promise<Response>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds that only go forward. */
  readonly now: () => number;
  /** Throws when the address is not one that a provider may have (link-local, metadata, …). Asked before every call; says what it looked at. */
  readonly assertPublicUrl: (url: string) => Addresses | Promise<Addresses>;
  /** Resolves when a call may begin; asked before every one, retries too. */
  readonly turn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly limits?: Partial<CallLimits> | undefined;
}

export interface CallLimits {
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A server that asks for more patience than this is given up. */
  readonly maxRetryAfterMs: number;
  readonly maxReplyBytes: number;
}

export const DEFAULT_LIMITS: CallLimits = {
  attempts: 5,
  timeoutMs: 120_000,
  backoffMs: 500,
  maxBackoffMs: 30_000,
  maxRetryAfterMs: 120_000,
  maxReplyBytes: 4_000_000,
};
