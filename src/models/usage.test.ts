import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PRICE_TABLE, priceOf } from './price.ts';
import { tokensOf } from './usage.ts';

/** As the AI SDK gives it: zeros for what the provider did not say. */
const sdk = (raw: Record<string, unknown> | undefined, input = 0, output = 0) => ({
  inputTokens: input,
  inputTokenDetails: { noCacheTokens: 0, cacheReadTokens: 0, cacheWriteTokens: undefined },
  outputTokens: output,
  outputTokenDetails: { textTokens: 0, reasoningTokens: 0 },
  totalTokens: input + output,
  raw: raw as never,
});

test('what a provider does not say is unknown, and not zero', () => {
  expect(tokensOf(sdk(undefined))).toEqual({});
  expect(tokensOf(sdk({}))).toEqual({});
  expect(tokensOf(sdk({ prompt_tokens: null }))).toEqual({});
  expect(tokensOf(sdk({ prompt_tokens: 5, completion_tokens: 0 }, 5))).toEqual({ inputTokens: 5, outputTokens: 0 });
  expect(tokensOf(sdk({ prompt_tokens: -5 }, -5))).toEqual({});
});

test('a zero that a provider says is a zero', () => {
  const raw = { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 0 } };
  expect(tokensOf(sdk(raw, 5))).toEqual({ inputTokens: 5, cachedInputTokens: 0 });
});

const call = {
  kind: 'openai' as const,
  baseUrl: 'https://api.openai.com/v1',
  models: ['gpt-5-2025-08-07', 'gpt-5'],
  inputTokens: 1_000_000,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  outputTokens: 0,
  date: new Date('2026-11-01'),
};

test('a price is known by provider and model, and unknown otherwise', async () => {
  expect(await priceOf(call)).toBe(1.25);
  expect(await priceOf({ ...call, cacheReadTokens: 1_000_000 })).toBe(0.125);
  expect(await priceOf({ ...call, models: ['of-our-own'] })).toBeUndefined();
  expect(await priceOf({ ...call, kind: 'ollama' })).toBeUndefined();
  const compatible = { ...call, kind: 'openai-compatible' as const };
  expect(await priceOf({ ...compatible, baseUrl: 'http://vllm.example/v1' })).toBeUndefined();
  expect(await priceOf({ ...compatible, baseUrl: 'https://openrouter.ai/api/v1', models: ['openai/gpt-5'] })).toBe(
    1.25,
  );
});

test('the price table that is named is the one that is installed', () => {
  const entry = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const { name, version } = JSON.parse(readFileSync(path.join(path.dirname(entry), '../package.json'), 'utf8'));
  expect(PRICE_TABLE).toBe(`${name} ${version}`);
});
