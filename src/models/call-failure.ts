/** Why a model call failed, after all retries: a closed set of classes, listed in docs/reference/providers.md. Never holds a key or the request. */
import type { Fault } from '../errors/index.ts';

/** `usage`: the settings. `environment`: the service, or the way to it. `agent`: the request, which the caller made. */
export type CallFault = Extract<Fault, 'usage' | 'environment' | 'agent'>;

interface FailureClass {
  readonly fault: CallFault;
  /** Whether the same request may succeed later. */
  readonly canRetry: boolean;
}

export const FAILURE_CLASSES = {
  key_missing: { fault: 'usage', canRetry: false },
  key_withheld: { fault: 'usage', canRetry: false },
  key_refused: { fault: 'usage', canRetry: false },
  model_not_found: { fault: 'usage', canRetry: false },
  invalid_request: { fault: 'usage', canRetry: false },
  address_refused: { fault: 'usage', canRetry: false },
  redirect_refused: { fault: 'usage', canRetry: false },
  quota_exceeded: { fault: 'environment', canRetry: false },
  rate_limited: { fault: 'environment', canRetry: true },
  server_error: { fault: 'environment', canRetry: true },
  timeout: { fault: 'environment', canRetry: true },
  network: { fault: 'environment', canRetry: true },
  bad_reply: { fault: 'environment', canRetry: true },
  // The next reply would cost as much, and would hardly be shorter.
  reply_too_large: { fault: 'environment', canRetry: false },
  context_overflow: { fault: 'agent', canRetry: false },
  content_filter: { fault: 'agent', canRetry: false },
} as const satisfies Record<string, FailureClass>;

export type CallFailureCode = keyof typeof FAILURE_CLASSES;

export interface FailureDetails {
  readonly status?: number | undefined;
  /** The beginning of what the provider said. */
  readonly raw?: string | undefined;
  /** The wait that the provider asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Requests made. */
  readonly attempts?: number;
}

export class CallFailure extends Error {
  readonly code: CallFailureCode;
  readonly status: number | undefined;
  readonly raw: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;

  constructor(
    code: CallFailureCode,
    message: string,
    { status, raw, retryAfterMs, attempts = 0 }: FailureDetails = {},
  ) {
    super(message);
    this.name = 'CallFailure';
    this.code = code;
    this.status = status;
    this.raw = raw;
    this.retryAfterMs = retryAfterMs;
    this.attempts = attempts;
  }

  get fault(): CallFault {
    return FAILURE_CLASSES[this.code].fault;
  }

  get canRetry(): boolean {
    return FAILURE_CLASSES[this.code].canRetry;
  }
}
