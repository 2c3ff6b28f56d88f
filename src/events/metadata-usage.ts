/** Tokens and cost as `metadata.json` has them. */
import type { AttemptMetadata } from './metadata-schema.ts';
import type { UsageFold, UsageTotals } from './usage-totals.ts';

/** Nothing where no model was called. */
export function usageOf(fold: UsageFold): Pick<AttemptMetadata, 'token_usage' | 'cost'> {
  const byRole = Object.entries(fold.byRole());
  if (byRole.length === 0) return {};
  const total = fold.total() ?? { ...NO_USAGE };
  const table = total.priceTable === undefined ? {} : { price_table: total.priceTable };
  return {
    token_usage: {
      ...snakeCase(total),
      by_role: Object.fromEntries(byRole.map(([role, sum]) => [role, snakeCase(sum)])),
    },
    cost: {
      usd: total.costUsd,
      ...table,
      by_role: Object.fromEntries(byRole.map(([role, sum]) => [role, sum.costUsd])),
    },
  };
}

/** Only graders called a model: the agent's own sums are known. */
const NO_USAGE: UsageTotals = {
  calls: 0,
  models: [],
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
  costUsd: 0,
};

function snakeCase(sum: UsageTotals): Omit<NonNullable<AttemptMetadata['token_usage']>, 'by_role'> {
  return {
    calls: sum.calls,
    models: sum.models,
    input_tokens: sum.inputTokens,
    cached_input_tokens: sum.cachedInputTokens,
    output_tokens: sum.outputTokens,
    reasoning_tokens: sum.reasoningTokens,
    total_tokens: sum.totalTokens,
  };
}
