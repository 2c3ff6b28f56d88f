/** The class of an HTTP status that is not a success. The providers' error bodies differ little: `{"error": "…"}` or `{"error": {"message", "type", "code"}}`. */
import { z } from 'zod';
import { CallFailure, type CallFailureCode } from './call-failure.ts';
import { parseRetryAfter } from './retry-delay.ts';

const name = z.union([z.string(), z.number()]).nullish().catch(null);
const bodySchema = z.object({
  error: z.union([
    z.string().transform((message) => ({ message, type: null, code: null })),
    z.object({ message: z.string().catch(''), type: name, code: name }),
  ]),
});

export interface FailedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** @param hide cuts a text and takes the key out of it. */
export function classifyStatus({ status, headers, body }: FailedReply, hide: (text: string) => string): CallFailure {
  const { message, names } = readError(body);
  const said = message.replace(/\.$/, '');
  return new CallFailure(
    codeOf(status, message, names),
    hide(`The endpoint replied ${status}${said === '' ? '' : `: ${said}`}.`),
    { status, raw: hide(body), retryAfterMs: retryAfter(headers) },
  );
}

function readError(body: string): { message: string; names: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // Often a page of a proxy: its text is kept as `raw`.
    return { message: '', names: '' };
  }
  const error = bodySchema.safeParse(value).data?.error;
  return { message: error?.message ?? '', names: `${error?.type ?? ''} ${error?.code ?? ''}` };
}

const OVERFLOW =
  /context.?(?:length|window)|maximum context|prompt is too long|(?:input|prompt) (?:token count|length).* exceed|too many tokens/i;

function codeOf(status: number, message: string, names: string): CallFailureCode {
  if (status >= 500) return 'server_error';
  if (status === 408) return 'timeout';
  // A conflict with another request of the same account: gone when that one has ended.
  if (status === 409) return 'server_error';
  // Google calls a rate limit a quota in words: only the name of the error tells an empty account.
  if (status === 429) return /insufficient_quota/.test(names) ? 'quota_exceeded' : 'rate_limited';
  if (status === 402 || /credit balance is too low/i.test(message)) return 'quota_exceeded';
  if (status === 401 || status === 403) return 'key_refused';
  if (status === 404) return 'model_not_found';
  if (/content_filter|content_policy|safety/i.test(names)) return 'content_filter';
  if (/context_length_exceeded/.test(names) || OVERFLOW.test(message)) return 'context_overflow';
  // Google refuses a key with 400.
  return /api key not valid/i.test(message) ? 'key_refused' : 'invalid_request';
}

function retryAfter(headers: Headers): number | undefined {
  const ms = headers.get('retry-after-ms');
  if (ms !== null && /^\d{1,9}(?:\.\d+)?$/.test(ms)) return Number(ms);
  return parseRetryAfter(headers.get('retry-after'), Date.parse(headers.get('date') ?? '') || Date.now());
}
