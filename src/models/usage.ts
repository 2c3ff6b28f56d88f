/** The usage of one call, with its cost. */
import type { LanguageModelUsage } from 'ai';
import { z } from 'zod';
import type { ModelUsage } from '../events/index.ts';
import type { OpenedModel } from './open-model.ts';
import { PRICE_TABLE, priceOf } from './price.ts';

const count = z.int().min(0).optional().catch(undefined);
const details = z
  .object({ cached_tokens: count, reasoning_tokens: count, thinking_tokens: count })
  .nullish()
  .catch(null);

/** As the providers name them. The AI SDK turns what a provider does not say into zeros, so that only these tell what is known. */
const rawSchema = z.object({
  prompt_tokens: count,
  input_tokens: count,
  promptTokenCount: count,
  prompt_eval_count: count,
  completion_tokens: count,
  output_tokens: count,
  candidatesTokenCount: count,
  eval_count: count,
  cache_read_input_tokens: count,
  cachedContentTokenCount: count,
  thoughtsTokenCount: count,
  prompt_tokens_details: details,
  input_tokens_details: details,
  completion_tokens_details: details,
  output_tokens_details: details,
});

export type TokenCounts = Pick<ModelUsage, 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'reasoningTokens'>;

export function tokensOf(usage: LanguageModelUsage): TokenCounts {
  const raw = rawSchema.safeParse(usage.raw).data;
  if (!raw) return {};
  const said = {
    inputTokens: [raw.prompt_tokens, raw.input_tokens, raw.promptTokenCount, raw.prompt_eval_count],
    cachedInputTokens: [
      raw.prompt_tokens_details?.cached_tokens,
      raw.input_tokens_details?.cached_tokens,
      raw.cache_read_input_tokens,
      raw.cachedContentTokenCount,
    ],
    outputTokens: [raw.completion_tokens, raw.output_tokens, raw.candidatesTokenCount, raw.eval_count],
    reasoningTokens: [
      raw.completion_tokens_details?.reasoning_tokens,
      raw.output_tokens_details?.reasoning_tokens,
      raw.output_tokens_details?.thinking_tokens,
      raw.thoughtsTokenCount,
    ],
  };
  const counted = {
    inputTokens: usage.inputTokens,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens,
    outputTokens: usage.outputTokens,
    reasoningTokens: usage.outputTokenDetails.reasoningTokens,
  };
  return Object.fromEntries(
    Object.entries(counted).filter(
      ([field, value]) =>
        Number.isSafeInteger(value) && said[field as keyof TokenCounts].some((number) => number !== undefined),
    ),
  );
}

export async function usageOf(
  { kind, baseUrl, id, context }: OpenedModel,
  usage: LanguageModelUsage,
  repliedAs: string | undefined,
): Promise<ModelUsage> {
  const tokens = tokensOf(usage);
  const { inputTokens, cachedInputTokens, outputTokens } = tokens;
  const cost =
    inputTokens === undefined || outputTokens === undefined
      ? undefined
      : await priceOf({
          kind,
          baseUrl,
          models: repliedAs === undefined ? [id] : [repliedAs, id],
          inputTokens,
          cacheReadTokens: cachedInputTokens,
          cacheWriteTokens: usage.inputTokenDetails.cacheWriteTokens,
          outputTokens,
          date: context.date(),
        });
  return {
    model: repliedAs ?? id,
    ...tokens,
    ...(cost === undefined ? {} : { costUsd: cost, priceTable: PRICE_TABLE }),
  };
}
