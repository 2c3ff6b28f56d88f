/** One question of a run on an API model: the prompt as it is, and the model's text back. A failure is the item's error, never the run's. */
import { MAX_RESPONSE, storableText } from '../cases/index.ts';
import type { ModelUsage } from '../events/index.ts';
import type { ApiProvider } from './api-provider.ts';
import type { CallContext } from './call-context.ts';
import { CallFailure, type CallFailureCode } from './call-failure.ts';
import { generate } from './generate.ts';
import { openModel } from './open-model.ts';

export interface CompleteRequest {
  readonly prompt_text: string;
  readonly model: string;
  readonly system?: string | undefined;
  readonly temperature?: number | undefined;
  readonly max_tokens?: number | undefined;
}

/** Error codes of items on the wire. */
export type ItemErrorCode =
  | 'key_missing'
  | 'key_withheld'
  | 'address_refused'
  | 'rate_limited'
  | 'server_error'
  | 'timeout'
  | 'network'
  | 'bad_reply'
  | 'reply_too_large'
  | 'refused'
  | 'empty_response';

export interface Completion {
  readonly status: 'answered' | 'error';
  readonly response: string;
  readonly error: { readonly code: ItemErrorCode; readonly message: string } | null;
  /** The status of the endpoint's refusal; null where there was none. */
  readonly http_status: number | null;
  readonly model_label: string | null;
  /** Null where no reply came. */
  readonly usage: ModelUsage | null;
  /** Settings that the provider does not support, in sentences. */
  readonly warnings: readonly string[];
  readonly latency_ms: number | null;
  readonly calls: number;
  /** The model stopped at a limit of tokens. */
  readonly truncated: boolean;
}

/** @throws the signal's reason when the work is stopped: such an item has not been tried. */
export async function completeItem(
  request: CompleteRequest,
  provider: ApiProvider,
  context: CallContext,
): Promise<Completion> {
  const { prompt_text, model, system, temperature, max_tokens } = request;
  try {
    const reply = await generate(await openModel({ ...provider, model }, context), {
      instructions: system,
      messages: [{ role: 'user', content: prompt_text }],
      temperature,
      maxOutputTokens: max_tokens,
    });
    const response = storableText(reply.text.slice(0, MAX_RESPONSE));
    const isEmpty = response.trim() === '';
    return {
      status: isEmpty ? 'error' : 'answered',
      response,
      error: isEmpty ? { code: 'empty_response', message: 'The model replied with no text.' } : null,
      http_status: null,
      model_label: storableText(reply.repliedAs ?? model),
      usage: reply.usage,
      warnings: reply.warnings,
      latency_ms: reply.latencyMs,
      calls: reply.attempts,
      truncated: reply.finishReason === 'length',
    };
  } catch (thrown) {
    if (!(thrown instanceof CallFailure)) throw thrown;
    return {
      status: 'error',
      response: '',
      error: { code: itemErrorCode(thrown), message: storableText(thrown.message) },
      http_status: thrown.status ?? null,
      model_label: model,
      usage: null,
      warnings: [],
      latency_ms: null,
      calls: thrown.attempts,
      truncated: false,
    };
  }
}

/** The wire has fewer codes than there are classes of failures. */
const WIRE_CODES: Readonly<Record<CallFailureCode, ItemErrorCode>> = {
  key_missing: 'key_missing',
  key_withheld: 'key_withheld',
  key_refused: 'refused',
  model_not_found: 'refused',
  invalid_request: 'refused',
  context_overflow: 'refused',
  content_filter: 'refused',
  quota_exceeded: 'refused',
  address_refused: 'address_refused',
  redirect_refused: 'network',
  rate_limited: 'rate_limited',
  server_error: 'server_error',
  timeout: 'timeout',
  network: 'network',
  bad_reply: 'bad_reply',
  reply_too_large: 'reply_too_large',
};

function itemErrorCode({ code, status }: CallFailure): ItemErrorCode {
  return code === 'quota_exceeded' && status === 429 ? 'rate_limited' : WIRE_CODES[code];
}
