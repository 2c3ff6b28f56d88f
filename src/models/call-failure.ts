/** Why a call to a model came to nothing, after all retries. Never holds a key. */
export type CallFailureCode =
  | 'key_missing'
  | 'address_refused'
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'network'
  | 'bad_reply'
  | 'refused';

export class CallFailure extends Error {
  readonly code: CallFailureCode;
  readonly status: number | undefined;
  readonly attempts: number;
  /** The beginning of what the endpoint said. */
  readonly raw: string | undefined;

  constructor(code: CallFailureCode, message: string, about: { status?: number; attempts: number; raw?: string }) {
    super(message);
    this.name = 'CallFailure';
    this.code = code;
    this.status = about.status;
    this.attempts = about.attempts;
    this.raw = about.raw;
  }
}
