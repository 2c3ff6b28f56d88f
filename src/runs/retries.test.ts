import { expect, test } from 'vitest';
import { Retries } from './retries.ts';

const attempt = (caseId: string, trial = 1) => ({ runId: 'r', caseId, trial, attempt: 1 });

test('faults of the environment and of the server are tried again, so often and no more', () => {
  const retries = new Retries({ retries: 2 });
  expect(retries.add(attempt('a'), 'env_error')).toBe(true);
  expect(retries.add(attempt('b'), 'server_error')).toBe(true);
  expect(retries.take()).toEqual([
    { caseId: 'a', trial: 1 },
    { caseId: 'b', trial: 1 },
  ]);
  expect(retries.take()).toEqual([]);
  expect(retries.add(attempt('a'), 'env_error')).toBe(true);
  expect(retries.add(attempt('a'), 'env_error')).toBe(false);
  // Another trial has its own.
  expect(retries.add(attempt('a', 2), 'env_error')).toBe(true);
});

test.each([
  'passed',
  'failed',
  'max_steps',
  'timeout',
  'adapter_error',
  'grader_error',
  'guard_stop',
  'blocked_by_site',
] as const)('%s is not tried again, unless it is asked for', (outcome) => {
  expect(new Retries({ retries: 3 }).add(attempt('a'), outcome)).toBe(false);
  expect(new Retries({ retries: 3, retryOn: [outcome] }).add(attempt('a'), outcome)).toBe(true);
});

test('without retries, and of attempts whose outcome is not known yet, nothing is tried again', () => {
  expect(new Retries({}).add(attempt('a'), 'env_error')).toBe(false);
  expect(new Retries({ retries: 1 }).add(attempt('a'), undefined)).toBe(false);
});
