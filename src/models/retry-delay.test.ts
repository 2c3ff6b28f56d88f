import { expect, test } from 'vitest';
import { backoff, parseRetryAfter } from './retry-delay.ts';

test.each([
  ['2', 2000],
  ['0', 0],
  ['1.5', 1500],
  ['Sun, 01 Mar 2026 12:00:10 GMT', 10_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['-1', undefined],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
])('Retry-After %j is %j ms', (header, expected) => {
  expect(parseRetryAfter(header, Date.parse('2026-03-01T12:00:00Z'))).toBe(expected);
});

test('backoff doubles, has jitter and an end', () => {
  const limits = {
    attempts: 9,
    timeoutMs: 1,
    backoffMs: 100,
    maxBackoffMs: 1000,
    maxRetryAfterMs: 1,
    maxReplyBytes: 1,
  };
  expect([1, 2, 3, 4, 5, 9].map((attempt) => backoff(attempt, limits, () => 0))).toEqual([50, 100, 200, 400, 500, 500]);
  expect(backoff(1, limits, () => 0.999)).toBeCloseTo(99.95, 5);
});
