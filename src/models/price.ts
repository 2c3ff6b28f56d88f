/** What a call cost, by the price table that is loaded with the package `@pydantic/genai-prices`. Undefined where the table does not know the model. */
import type { OpenedModel } from './open-model.ts';
import type { ModelKind } from './provider-kinds.ts';

/** Stored with every cost. A test compares it with the installed package. */
export const PRICE_TABLE = '@pydantic/genai-prices 0.1.8';

export interface PricedCall {
  readonly kind: ModelKind;
  readonly baseUrl: string;
  /** Most exact first. */
  readonly models: readonly string[];
  readonly inputTokens: number;
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly outputTokens: number;
  readonly date: Date;
}

/** Tokens of unknown caching count as not cached, which is the higher price. */
export async function priceOf(call: PricedCall): Promise<number | undefined> {
  // A model on one's own machine has a cost, but no price.
  if (call.kind === 'ollama') return undefined;
  const { calcPrice } = await import('@pydantic/genai-prices');
  const usage = {
    input_tokens: call.inputTokens,
    cache_read_tokens: call.cacheReadTokens,
    cache_write_tokens: call.cacheWriteTokens,
    output_tokens: call.outputTokens,
  };
  const provider = call.kind === 'openai-compatible' ? { providerApiUrl: call.baseUrl } : { providerId: call.kind };
  for (const model of call.models) {
    const price = calcPrice(usage, model, { ...provider, timestamp: call.date });
    if (price && Number.isFinite(price.total_price)) return price.total_price;
  }
  return undefined;
}

/** Whether the cost of this model's calls can be known. */
export async function isPriced({ kind, baseUrl, id, context }: Priced): Promise<boolean> {
  const counts = { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 };
  return (await priceOf({ kind, baseUrl, models: [id], ...counts, date: context.date() })) !== undefined;
}

type Priced = Pick<OpenedModel, 'kind' | 'baseUrl' | 'id' | 'context'>;
