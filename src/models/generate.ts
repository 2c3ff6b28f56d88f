/**
 * One turn of a model: one reply, or the tool calls that it wants. Retries are made here and nowhere else, each after its turn in the pace; tools are
 * never run here. The AI SDK is loaded by the first call.
 */
import type { FinishReason, GenerateTextResult, JSONSchema7, LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { ModelUsage } from '../events/index.ts';
import { type CallContext, type CallLimits, limitsOf } from './call-context.ts';
import { CallFailure } from './call-failure.ts';
import type { OpenedModel } from './open-model.ts';
import { readFailure } from './read-failure.ts';
import { backoff } from './retry-delay.ts';
import { usageOf } from './usage.ts';

/** JSON of this form is asked for, and not checked: what came is `text`. */
export interface ReplyFormat {
  readonly name: string;
  readonly schema: JSONSchema7;
}

export interface GenerateRequest {
  /** The system text. */
  readonly instructions?: string | undefined;
  /** Pictures are bytes, never addresses: nothing is fetched for a message. */
  readonly messages: readonly ModelMessage[];
  readonly tools?: ToolSet | undefined;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  readonly seed?: number | undefined;
  readonly format?: ReplyFormat | undefined;
}

export interface Generation {
  /** Empty where the model said nothing. A refusal is text too, with the finish reason `content-filter` or `stop`. */
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly toolCalls: Reply['toolCalls'];
  /** To be appended to the messages of the next turn. Calls that the SDK found invalid have been answered in it already. */
  readonly responseMessages: Reply['responseMessages'];
  /** As the provider names the model; undefined where it does not. */
  readonly repliedAs: string | undefined;
  readonly usage: ModelUsage;
  /** Settings that the provider does not support, in sentences. */
  readonly warnings: readonly string[];
  /** Requests, retries included. */
  readonly attempts: number;
  /** Of the request that succeeded. */
  readonly latencyMs: number;
}

type Reply = GenerateTextResult<ToolSet, Record<string, unknown>, never>;

export interface GenerateOptions {
  /** The time that the caller has left. A wait that is longer is not begun: the failure is known already. */
  readonly remainingMs?: (() => number) | undefined;
}

/**
 * @throws CallFailure when it is given up, or when the work is stopped while a request that failed is made again: then the failure is the
 * reason that there is no reply. The signal's reason when the work is stopped otherwise.
 */
export async function generate(
  model: OpenedModel,
  request: GenerateRequest,
  signal: AbortSignal = model.context.signal,
  { remainingMs = () => Number.POSITIVE_INFINITY }: GenerateOptions = {},
): Promise<Generation> {
  const { context } = model;
  const limits = limitsOf(context);
  const { generateText } = await loadSdk();
  let failed: CallFailure | undefined;
  const throwIfStopped = (): void => {
    if (signal.aborted) throw failed ?? signal.reason;
  };
  for (let attempt = 1; ; attempt++) {
    throwIfStopped();
    await context.turn?.(signal);
    const timeout = AbortSignal.timeout(limits.timeoutMs);
    const startedAt = context.now();
    try {
      const reply = await generateText({
        ...optionsOf(model, request),
        abortSignal: AbortSignal.any([signal, timeout]),
      });
      const latencyMs = context.now() - startedAt;
      return { ...(await read(model, reply)), attempts: attempt, latencyMs };
    } catch (thrown) {
      throwIfStopped();
      const failure = timeout.aborted
        ? new CallFailure('timeout', `No reply within ${limits.timeoutMs} ms.`)
        : await readFailure(thrown, model.hide);
      failed = counted(failure, attempt);
      const delay = delayBeforeNext(failed, limits, context);
      if (delay === undefined || delay >= remainingMs()) throw failed;
      await context.sleep(delay, signal).catch(throwIfStopped);
    }
  }
}

/** @returns undefined where another request would be of no use. */
function delayBeforeNext(failure: CallFailure, limits: CallLimits, { random }: CallContext): number | undefined {
  const { attempts, retryAfterMs = 0, canRetry } = failure;
  if (!canRetry || attempts >= limits.attempts || retryAfterMs > limits.maxRetryAfterMs) return undefined;
  return Math.max(retryAfterMs, backoff(attempts, limits, random));
}

/** The failure with the number of requests that were made. */
function counted({ code, message, status, raw, retryAfterMs }: CallFailure, attempt: number): CallFailure {
  const attempts = code === 'address_refused' ? attempt - 1 : attempt;
  return new CallFailure(code, message, { status, raw, retryAfterMs, attempts });
}

async function loadSdk(): Promise<typeof import('ai')> {
  // Warnings are returned with each reply; by default they are printed too.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return await import('ai');
}

function optionsOf({ languageModel }: OpenedModel, request: GenerateRequest) {
  const { instructions, messages, tools, temperature, maxOutputTokens, seed, format } = request;
  return {
    model: languageModel,
    messages: [...messages],
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(seed === undefined ? {} : { seed }),
    ...(format === undefined ? {} : { output: asTextOf(format) }),
    ...(isResponses(languageModel) ? { providerOptions: { openai: { store: false } } } : {}),
    maxRetries: 0,
    telemetry: { isEnabled: false },
    experimental_download: refuseDownloads,
  };
}

/** OpenAI keeps what is sent to this protocol, unless it is told not to. */
function isResponses({ provider }: Exclude<LanguageModel, string>): boolean {
  return provider === 'openai.responses';
}

/** An output of the AI SDK that asks for JSON and leaves the reading to the caller. */
function asTextOf({ name, schema }: ReplyFormat) {
  return {
    name,
    responseFormat: Promise.resolve({ type: 'json' as const, name, schema }),
    parseCompleteOutput: async ({ text }: { text: string }) => text,
    parsePartialOutput: async ({ text }: { text: string }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

/** The SDK would fetch the address of a picture without any check. */
async function refuseDownloads(downloads: readonly unknown[]): Promise<never[]> {
  if (downloads.length > 0)
    throw new CallFailure('invalid_request', 'A message holds an address in place of a picture.');
  return [];
}

async function read(model: OpenedModel, reply: Reply): Promise<Omit<Generation, 'attempts' | 'latencyMs'>> {
  const { modelId } = reply.response;
  return {
    text: reply.text,
    finishReason: reply.finishReason,
    toolCalls: reply.toolCalls,
    responseMessages: reply.responseMessages,
    repliedAs: modelId,
    usage: await usageOf(model, reply.usage, modelId),
    warnings: (reply.warnings ?? []).map(sentenceOf),
  };
}

type Warning = NonNullable<Reply['warnings']>[number];

function sentenceOf(warning: Warning): string {
  if ('message' in warning) return warning.message;
  const { type, feature, details } = warning;
  const what = type === 'unsupported' ? 'is not supported' : 'is only supported in a compatible form';
  return `${feature} ${what}${details === undefined ? '' : `: ${details}`}`.replace(/([^.])$/, '$1.');
}
