import { expect, test } from 'vitest';
import { classifyStatus } from './classify-status.ts';

const failure = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  classifyStatus(
    { status, headers: new Headers(headers), body: typeof body === 'string' ? body : JSON.stringify(body) },
    (text) => text.replaceAll('sk-1', '[key]'),
  );

/** Bodies as the services send them. */
const openAi = (message: string, code: string | null = null) => ({
  error: { message, type: 'invalid_request_error', code },
});
const anthropic = (message: string, type = 'invalid_request_error') => ({ type: 'error', error: { type, message } });
const google = (code: number, message: string, status: string) => ({ error: { code, message, status } });

test.each([
  ['a wrong key', 401, openAi('Incorrect API key provided.', 'invalid_api_key'), 'key_refused'],
  ['a key without rights', 403, openAi('You are not allowed.'), 'key_refused'],
  [
    'a wrong key at Google',
    400,
    google(400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT'),
    'key_refused',
  ],
  ['an unknown model', 404, openAi('The model x does not exist.', 'model_not_found'), 'model_not_found'],
  ['an unknown model at Ollama', 404, { error: "model 'x' not found" }, 'model_not_found'],
  ['a rate limit', 429, openAi('Rate limit reached.', 'rate_limit_exceeded'), 'rate_limited'],
  [
    'a rate limit at Google',
    429,
    google(429, 'You exceeded your current quota, please check your plan and billing details.', 'RESOURCE_EXHAUSTED'),
    'rate_limited',
  ],
  [
    'an empty account',
    429,
    { error: { message: 'You exceeded your current quota.', type: 'insufficient_quota', code: 'insufficient_quota' } },
    'quota_exceeded',
  ],
  [
    'an empty account at Anthropic',
    400,
    anthropic('Your credit balance is too low to access the Anthropic API.'),
    'quota_exceeded',
  ],
  ['a payment that is due', 402, openAi('Payment required.'), 'quota_exceeded'],
  [
    'a long prompt',
    400,
    openAi("This model's maximum context length is 8192 tokens.", 'context_length_exceeded'),
    'context_overflow',
  ],
  [
    'a long prompt at Anthropic',
    400,
    anthropic('prompt is too long: 250000 tokens > 200000 maximum'),
    'context_overflow',
  ],
  [
    'a long prompt at Google',
    400,
    google(
      400,
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'INVALID_ARGUMENT',
    ),
    'context_overflow',
  ],
  ['a filter', 400, openAi('The response was filtered.', 'content_filter'), 'content_filter'],
  ['a field that is not known', 400, openAi("Unknown parameter: 'x'."), 'invalid_request'],
  ['an overloaded service', 529, anthropic('Overloaded', 'overloaded_error'), 'server_error'],
  ['a proxy', 502, '<html>Bad gateway</html>', 'server_error'],
  ['a request that came slowly', 408, '', 'timeout'],
] as const)('%s (%d)', (_what, status, body, code) => {
  expect(failure(status, body)).toMatchObject({ code, status });
});

test('the message is what the service said, without the key', () => {
  expect(failure(401, openAi('Incorrect API key provided: sk-1.'))).toMatchObject({
    message: 'The endpoint replied 401: Incorrect API key provided: [key].',
    raw: expect.not.stringContaining('sk-1'),
  });
  expect(failure(500, '<html>').message).toBe('The endpoint replied 500.');
});

test.each([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after-ms': '1500', 'retry-after': '7' }, 1_500],
  [{ 'retry-after': 'Sun, 01 Mar 2026 12:00:10 GMT', date: 'Sun, 01 Mar 2026 12:00:00 GMT' }, 10_000],
  [{}, undefined],
])('with %j it asks to wait %j ms', (headers, expected) => {
  expect(failure(429, '', headers as Record<string, string>).retryAfterMs).toBe(expected);
});
