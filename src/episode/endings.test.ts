import { describe, expect, test } from 'vitest';
import { type Ending, endingOf, stopOf } from './endings.ts';

const cap: Extract<Ending, { by: 'cap' }> = { by: 'cap', sentence: 'All 3 steps were used' };
const about = { steps: 3, untilDone: false };

describe('an attempt whose steps are used up', () => {
  test('has passed where the last look finds that the contract holds', () => {
    expect(stopOf(cap, { verdict: 'pass' }, about)).toEqual({
      status: 'passed',
      reason: 'The contract passed at the last allowed step, 3.',
    });
  });

  test('has not where it does not hold, or where that is not known', () => {
    expect(stopOf(cap, { verdict: 'fail' }, about)).toEqual({
      status: 'max_steps',
      reason: 'All 3 steps were used, and the contract does not pass.',
    });
    expect(stopOf(cap, { verdict: 'inconclusive' }, about)).toEqual({
      status: 'max_steps',
      reason: 'All 3 steps were used, and the contract is inconclusive.',
    });
  });
});

test('whatever is thrown after the browser has ended is the browser’s fault', () => {
  const lost = { isBrowserAlive: () => false, witness: {} } as Parameters<typeof endingOf>[1];
  expect(endingOf(new Error('The agent failed.'), lost)).toEqual({
    by: 'fault',
    stop: { status: 'tool_error', reason: 'The agent failed.', cause: 'browser' },
  });
});

test('a call without an answer is the browser’s fault where the last look sees nothing of the page', () => {
  const stop = { status: 'tool_error', reason: 'No answer.', cause: 'server' } as const;
  const ending: Ending = { by: 'fault', stop, isUnanswered: true };
  const seen = { verdict: 'inconclusive' } as const;
  expect(stopOf(ending, seen, about)).toMatchObject({ cause: 'server' });
  expect(stopOf(ending, { ...seen, unseen: 'The page hangs.' }, about)).toMatchObject({
    cause: 'browser',
    reason: 'No answer. The page hangs.',
  });
});
