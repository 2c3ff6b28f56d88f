import { describe, expect, test } from 'vitest';
import { decide, latestByGrader } from './decided-outcome.ts';
import type { Grade } from './grade.ts';

const grade = (grader: string, verdict: Grade['verdict'], round = 1): Grade => ({
  grader,
  round,
  verdict,
  score: verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null,
  reasoning: `Round ${round}.`,
  details: {},
  at: 0,
});

test('of each grader the newest round counts, in the order of their first grades', () => {
  const grades = [grade('b', 'fail'), grade('a', 'pass'), grade('b', 'pass', 2), grade('a', 'error', 2)];
  expect(latestByGrader(grades).map(({ grader, verdict }) => [grader, verdict])).toEqual([
    ['b', 'pass'],
    ['a', 'error'],
  ]);
});

describe('the deciding grade', () => {
  test.each<[string, Parameters<typeof decide>[0]['outcome'], Grade[], string]>([
    ['a pass passes what the contract failed', 'failed', [grade('answer', 'pass')], 'passed'],
    ['a failure fails what the contract passed', 'passed', [grade('answer', 'fail')], 'failed'],
    ['a pass at the cap is a pass', 'max_steps', [grade('answer', 'pass')], 'passed'],
    ['a failure at the cap keeps the cap as its class', 'timeout', [grade('answer', 'fail')], 'timeout'],
    ['an error is the grader’s', 'passed', [grade('answer', 'error')], 'grader_error'],
    ['skipped is no verdict', 'passed', [grade('answer', 'skipped')], 'grader_error'],
    ['without a grade nothing is decided', 'passed', [grade('rubric', 'pass')], 'grader_error'],
    ['a contract that could not be evaluated does not matter', 'grader_error', [grade('answer', 'pass')], 'passed'],
    ['a fault elsewhere stays one', 'server_error', [grade('answer', 'pass')], 'server_error'],
    ['a refused guarded action is no pass', 'guard_stop', [grade('answer', 'pass')], 'guard_stop'],
    ['a later round counts', 'failed', [grade('answer', 'error'), grade('answer', 'pass', 2)], 'passed'],
  ])('%s', (_, outcome, grades, expected) => {
    expect(decide({ outcome, reason: 'It ended.' }, 'answer', grades).outcome).toBe(expected);
  });
});
