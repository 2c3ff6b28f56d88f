/** One item of a normal run: the prompt as it is to a model, its words back. What fails is the item's error, never the run's. */
import { MAX_RESPONSE, storableText } from '../cases/index.ts';
import type { ApiProvider, CallContext } from './api-provider.ts';
import { CallFailure, type CallFailureCode } from './call-failure.ts';
import { completeChat } from './chat-client.ts';

export interface CompleteRequest {
  readonly prompt_text: string;
  readonly model: string;
  readonly system?: string | undefined;
  readonly temperature?: number | undefined;
  readonly max_tokens?: number | undefined;
}

export interface Completion {
  readonly status: 'answered' | 'error';
  readonly response: string;
  readonly error: { readonly code: CallFailureCode | 'empty_response'; readonly message: string } | null;
  /** What the endpoint said no with; null where it said nothing, or yes. */
  readonly http_status: number | null;
  readonly model_label: string | null;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
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
    const reply = await completeChat(
      provider,
      {
        model,
        messages: [
          ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
          { role: 'user', content: prompt_text },
        ],
        ...(temperature === undefined ? {} : { temperature }),
        ...(max_tokens === undefined ? {} : { max_tokens }),
      },
      context,
    );
    const response = storableText(reply.content.slice(0, MAX_RESPONSE));
    const isEmpty = response.trim() === '';
    return {
      status: isEmpty ? 'error' : 'answered',
      response,
      error: isEmpty ? { code: 'empty_response', message: 'The model replied with no text.' } : null,
      http_status: null,
      model_label: reply.model ?? model,
      usage: reply.usage,
      latency_ms: reply.latency_ms,
      calls: reply.attempts,
      truncated: reply.finish_reason === 'length',
    };
  } catch (thrown) {
    if (!(thrown instanceof CallFailure)) throw thrown;
    return {
      status: 'error',
      response: '',
      error: { code: thrown.code, message: storableText(thrown.message) },
      http_status: thrown.status ?? null,
      model_label: model,
      usage: null,
      latency_ms: null,
      calls: thrown.attempts,
      truncated: false,
    };
  }
}
