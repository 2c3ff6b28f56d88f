import { describe, expect, test } from 'vitest';
import { type Ending, stopOf } from './endings.ts';

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
