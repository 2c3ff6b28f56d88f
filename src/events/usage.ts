/** The tokens and the cost of model calls. A field that is not there is unknown; zero means zero. */
import { z } from 'zod';

const tokens = z.int().min(0);

export const usageSchema = z.strictObject({
  /** Who asked: an agent's role, or a judge. */
  role: z.string().optional(),
  /** As the provider names it where it does, otherwise as it was asked for. */
  model: z.string(),
  /** Cached tokens are included. */
  inputTokens: tokens.optional(),
  cachedInputTokens: tokens.optional(),
  /** Reasoning tokens are included. */
  outputTokens: tokens.optional(),
  reasoningTokens: tokens.optional(),
  costUsd: z.number().min(0).optional(),
  /** Which table the cost was computed with, and its version. */
  priceTable: z.string().optional(),
});

export type ModelUsage = z.infer<typeof usageSchema>;

/** The sum of several calls by one model. What one call does not know, the sum does not know. */
export function sumUsage(calls: readonly ModelUsage[]): ModelUsage | undefined {
  const last = calls.at(-1);
  if (!last) return undefined;
  const { role, model, priceTable } = last;
  return {
    ...(role === undefined ? {} : { role }),
    model,
    ...total(calls, 'inputTokens'),
    ...total(calls, 'cachedInputTokens'),
    ...total(calls, 'outputTokens'),
    ...total(calls, 'reasoningTokens'),
    ...total(calls, 'costUsd'),
    ...(priceTable === undefined ? {} : { priceTable }),
  };
}

type Sum = 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'reasoningTokens' | 'costUsd';

function total<F extends Sum>(calls: readonly ModelUsage[], field: F): { [K in F]?: number } {
  const known = calls.map((call) => call[field]).filter((value) => value !== undefined);
  if (known.length < calls.length) return {};
  return { [field]: known.reduce((sum, value) => sum + value, 0) } as { [K in F]: number };
}
