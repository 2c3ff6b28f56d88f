/** Why a request is refused. Each protocol says it in its vendor's words and shape. */
export type RefusalKind =
  | 'invalid_request'
  | 'key_refused'
  | 'model_not_found'
  | 'not_found'
  | 'rate_limited'
  | 'server_error'
  | 'context_overflow';

export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** The field that is wrong, where one is. */
  readonly param: string | undefined;

  constructor(kind: RefusalKind, message: string, param?: string) {
    super(message);
    this.name = 'Refusal';
    this.kind = kind;
    this.param = param;
  }
}
