import { expect, test } from 'vitest';
import { sumUsage, usageSchema } from './usage.ts';

test('calls are summed field by field, and what one does not know the sum does not know', () => {
  const first = { model: 'm', inputTokens: 10, outputTokens: 2, reasoningTokens: 0, costUsd: 0.5, priceTable: 'p 1' };
  const second = {
    model: 'm-1',
    inputTokens: 5,
    outputTokens: 3,
    cachedInputTokens: 4,
    costUsd: 0.25,
    priceTable: 'p 1',
  };
  expect(sumUsage([first, second])).toEqual({
    model: 'm-1',
    inputTokens: 15,
    outputTokens: 5,
    costUsd: 0.75,
    priceTable: 'p 1',
  });
  expect(sumUsage([first])).toEqual(first);
  expect(sumUsage([])).toBeUndefined();
});

test('a price without a known amount, a negative count and an unknown field are told apart', () => {
  expect(usageSchema.safeParse({ model: 'm' }).success).toBe(true);
  expect(usageSchema.safeParse({ model: 'm', inputTokens: -1 }).success).toBe(false);
  expect(usageSchema.safeParse({ model: 'm', tokens: 1 }).success).toBe(false);
});
