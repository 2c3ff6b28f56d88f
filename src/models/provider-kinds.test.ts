import { expect, test } from 'vitest';
import { resolveBaseUrl, speaksResponses } from './provider-kinds.ts';

test.each([
  ['openai', null, 'https://api.openai.com/v1'],
  ['openai', 'https://proxy.example/v1/', 'https://proxy.example/v1'],
  ['anthropic', '', 'https://api.anthropic.com/v1'],
  ['google', undefined, 'https://generativelanguage.googleapis.com/v1beta'],
  ['google', 'https://gateway.example/v1beta/openai/', 'https://gateway.example/v1beta'],
  ['ollama', null, 'http://127.0.0.1:11434'],
  ['ollama', 'http://gpu.example:11434/v1', 'http://gpu.example:11434'],
  ['ollama', 'http://gpu.example/ollama/api', 'http://gpu.example/ollama'],
  ['openai-compatible', 'http://vllm.example/v1', 'http://vllm.example/v1'],
  ['openai-compatible', null, undefined],
] as const)('a provider of kind %s with the base URL %j is reached at %j', (kind, given, expected) => {
  expect(resolveBaseUrl(kind, given)).toBe(expected);
});

test('the responses protocol is spoken with OpenAI only', () => {
  expect(speaksResponses('https://api.openai.com/v1')).toBe(true);
  expect(speaksResponses('https://api.openai.com.evil.example/v1')).toBe(false);
});
