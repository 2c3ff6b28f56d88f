/**
 * One chat completion by plain HTTP, with retries on 429 (as long as the server asks), 5xx, timeouts and lost connections.
 * Redirects are refused: they would carry the key to an address that nobody checked.
 */
import { z } from 'zod';
import { messageOf } from '../errors/index.ts';
import { type Addresses, type ApiProvider, type CallContext, type CallLimits, DEFAULT_LIMITS } from './api-provider.ts';
import { CallFailure, type CallFailureCode } from './call-failure.ts';
import { readBody } from './read-body.ts';
import { backoff, parseRetryAfter } from './retry-delay.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly response_format?: unknown;
}

export interface ChatReply {
  readonly content: string;
  readonly finish_reason: string | null;
  /** As the endpoint names it. */
  readonly model: string | null;
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly attempts: number;
  /** Of the try that succeeded. */
  readonly latency_ms: number;
}

const replySchema = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish().catch(null),
});

const MAX_RAW = 2000;

/** One try's end: a reply, or a failure that may be worth another try. */
type Outcome =
  | { readonly reply: Omit<ChatReply, 'attempts' | 'latency_ms'> }
  | {
      readonly failure: CallFailureCode;
      readonly message: string;
      readonly canRetry: boolean;
      readonly status?: number;
      readonly raw?: string;
      readonly retryAfterMs?: number | undefined;
    };

/** @throws CallFailure when it is given up; the signal's reason when the work is stopped. */
export async function completeChat(
  provider: ApiProvider,
  request: ChatRequest,
  context: CallContext,
): Promise<ChatReply> {
  const limits: CallLimits = { ...DEFAULT_LIMITS, ...context.limits };
  const url = `${provider.base_url.replace(/\/+$/, '')}/chat/completions`;
  const key = keyOf(provider, context);
  for (let attempt = 1; ; attempt++) {
    context.signal.throwIfAborted();
    const addresses = await checkAddress(url, context, attempt);
    await context.turn?.(context.signal);
    const startedAt = context.now();
    const outcome = await tryOnce({ url, addresses, key }, request, context, limits);
    if ('reply' in outcome) return { ...outcome.reply, attempts: attempt, latency_ms: context.now() - startedAt };
    context.signal.throwIfAborted();
    const { failure, message, status, raw, retryAfterMs = 0 } = outcome;
    if (!outcome.canRetry || attempt >= limits.attempts || retryAfterMs > limits.maxRetryAfterMs) {
      throw new CallFailure(failure, message, {
        attempts: attempt,
        ...(status === undefined ? {} : { status }),
        ...(raw === undefined ? {} : { raw }),
      });
    }
    await context.sleep(Math.max(retryAfterMs, backoff(attempt, limits, context.random)), context.signal);
  }
}

function keyOf({ api_key_env }: ApiProvider, { env }: CallContext): string | undefined {
  if (api_key_env === null) return undefined;
  const key = env[api_key_env];
  if (key === undefined || key === '') {
    throw new CallFailure('key_missing', `The environment variable ${api_key_env} is not set.`, { attempts: 0 });
  }
  return key;
}

async function checkAddress(url: string, context: CallContext, attempt: number): Promise<Addresses> {
  try {
    return await context.assertPublicUrl(url);
  } catch (thrown) {
    throw new CallFailure('address_refused', messageOf(thrown), { attempts: attempt - 1 });
  }
}

interface Place {
  readonly url: string;
  readonly addresses: Addresses;
  readonly key: string | undefined;
}

async function tryOnce(
  { url, addresses, key }: Place,
  request: ChatRequest,
  context: CallContext,
  limits: CallLimits,
): Promise<Outcome> {
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const hide = (text: string): string => (key === undefined ? text : text.replaceAll(key, '[key]')).slice(0, MAX_RAW);
  try {
    const response = await context.fetch(
      url,
      {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ ...request, stream: false }),
        redirect: 'error',
        signal: AbortSignal.any([context.signal, timeout]),
      },
      addresses,
    );
    const body = await readBody(response, limits.maxReplyBytes);
    return response.ok ? readReply(body, hide) : explainStatus(response, body, hide);
  } catch (thrown) {
    if (timeout.aborted) {
      return { failure: 'timeout', message: `No reply within ${limits.timeoutMs} ms.`, canRetry: true };
    }
    const cause = thrown instanceof Error && thrown.cause !== undefined ? ` (${messageOf(thrown.cause)})` : '';
    return {
      failure: 'network',
      message: hide(`The connection failed: ${messageOf(thrown)}${cause}.`),
      canRetry: true,
    };
  }
}

function readReply(body: string, hide: (text: string) => string): Outcome {
  const bad = (message: string): Outcome => ({ failure: 'bad_reply', message, canRetry: true, raw: hide(body) });
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return bad('The endpoint replied with something that is not JSON.');
  }
  const parsed = replySchema.safeParse(value);
  const choice = parsed.data?.choices[0];
  if (!parsed.success || !choice) return bad('The endpoint replied with JSON that is no chat completion.');
  const { usage, model } = parsed.data;
  return {
    reply: {
      content: choice.message.content ?? choice.message.refusal ?? '',
      finish_reason: choice.finish_reason ?? null,
      model: model ?? null,
      usage: usage ? { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens } : null,
    },
  };
}

function explainStatus(response: Response, body: string, hide: (text: string) => string): Outcome {
  const { status } = response;
  const isBusy = status === 429;
  const canRetry = isBusy || status === 408 || status === 409 || status >= 500;
  const failure = isBusy ? 'rate_limited' : status >= 500 ? 'server_error' : status === 408 ? 'timeout' : 'refused';
  const said = errorText(body);
  return {
    failure,
    message: hide(`The endpoint replied ${status}${said === '' ? '' : `: ${said}`}.`),
    canRetry,
    status,
    raw: hide(body),
    retryAfterMs: parseRetryAfter(
      response.headers.get('retry-after'),
      Date.parse(response.headers.get('date') ?? '') || Date.now(),
    ),
  };
}

const errorSchema = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

function errorText(body: string): string {
  try {
    const parsed = errorSchema.safeParse(JSON.parse(body));
    if (!parsed.success) return '';
    const { error } = parsed.data;
    return (typeof error === 'string' ? error : error.message).replace(/\.$/, '');
  } catch {
    return '';
  }
}
