/** Why a model call failed, after all retries: a closed set of classes. Never holds a key or the request. */

/** `configuration`: the settings of the caller. `provider`: the service or the way to it. `model`: what the model was asked or what it replied. */
export type CallFault = 'configuration' | 'provider' | 'model';

interface FailureClass {
  readonly fault: CallFault;
  /** Whether the same request may succeed later. */
  readonly canRetry: boolean;
}

export const FAILURE_CLASSES = {
  key_missing: { fault: 'configuration', canRetry: false },
  key_refused: { fault: 'configuration', canRetry: false },
  model_not_found: { fault: 'configuration', canRetry: false },
  invalid_request: { fault: 'configuration', canRetry: false },
  address_refused: { fault: 'configuration', canRetry: false },
  redirect_refused: { fault: 'configuration', canRetry: false },
  quota_exceeded: { fault: 'provider', canRetry: false },
  rate_limited: { fault: 'provider', canRetry: true },
  server_error: { fault: 'provider', canRetry: true },
  timeout: { fault: 'provider', canRetry: true },
  network: { fault: 'provider', canRetry: true },
  bad_reply: { fault: 'provider', canRetry: true },
  // The next reply would cost as much, and would hardly be shorter.
  reply_too_large: { fault: 'provider', canRetry: false },
  context_overflow: { fault: 'model', canRetry: false },
  content_filter: { fault: 'model', canRetry: false },
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
