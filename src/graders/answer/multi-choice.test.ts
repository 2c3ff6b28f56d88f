import { describe, expect, test } from 'vitest';
import { letterOf } from '../../cases/index.ts';
import { checkMultiChoice, chosenSet } from './multi-choice.ts';

const NUMBERS = ['2', '4', '7', '9'];
const CITIES = ['Oslo', 'Lima', 'Bern', 'Goa'];

function said(response: string, choices: readonly string[]): string {
  const set = chosenSet(response, choices);
  return set
    ? [...set]
        .sort((a, b) => a - b)
        .map(letterOf)
        .join('')
    : 'unclear';
}

describe('a set of choices is read from', () => {
  test.each([
    ['A, C', 'AC'],
    ['A and C', 'AC'],
    ['A & C', 'AC'],
    ['AC', 'AC'],
    ['(A) and (C)', 'AC'],
    ['**A** and **C**', 'AC'],
    ['["A", "C"]', 'AC'],
    ['A\nC', 'AC'],
    ['- A\n- C', 'AC'],
    ['A) 2\nC) 7', 'AC'],
    ['2 and 7 are prime.\nThe answers are A and C.', 'AC'],
    ['The answers are A and C.', 'AC'],
    ['The correct answers are: A, C', 'AC'],
    ['The correct options are A) 2 and C) 7.', 'AC'],
    ['Answer: AC', 'AC'],
    ['Answer: **A, C**', 'AC'],
    ['The correct answers are:\n- A) 2\n- C) 7', 'AC'],
    ['The correct answers are:\n\n- **A) 2**: because it is even and prime\n- **C) 7**: no divisors', 'AC'],
    ['A and C are correct.', 'AC'],
    ['Options A and C are correct. B and D are wrong.', 'AC'],
    ['I choose A and C', 'AC'],
    ['The answers are A and B. Correction: the answers are A and C.', 'AC'],
    ['The answer is B.', 'B'],
    ['A, B, C, D', 'ABCD'],
    ['I do not know.', 'unclear'],
    ['2 is prime. 4 is not.', 'unclear'],
  ])('%j', (response, expected) => {
    expect(said(response, NUMBERS)).toBe(expected);
  });

  test.each([
    ['Oslo and Bern.', 'AC'],
    ['Oslo, Bern', 'AC'],
    ['The correct answers are Oslo and Bern.', 'AC'],
    ['Oslo\nBern', 'AC'],
    ['- Oslo\n- Bern', 'AC'],
    ['Oslo, but not Lima', 'unclear'],
  ])('%j', (response, expected) => {
    expect(said(response, CITIES)).toBe(expected);
  });
});

describe('the value is the F1 of the sets', () => {
  const right = new Set([0, 2]);
  test.each([
    ['A, C', 1, 'pass', 1, 1],
    ['A', 2 / 3, 'fail', 1, 0.5],
    ['A, B, C', 0.8, 'fail', 2 / 3, 1],
    ['A, B', 0.5, 'fail', 0.5, 0.5],
    ['B, D', 0, 'fail', 0, 0],
  ])('%j is %d', (response, value, verdict, precision, recall) => {
    const result = checkMultiChoice(response, NUMBERS, right);
    expect(result.value).toBeCloseTo(value, 12);
    expect(result.verdict).toBe(verdict);
    expect(result.detail.precision).toBeCloseTo(precision, 12);
    expect(result.detail.recall).toBeCloseTo(recall, 12);
  });

  test('with a threshold, similar sets pass', () => {
    expect(checkMultiChoice('A, B, C', NUMBERS, right, 0.75).verdict).toBe('pass');
    expect(checkMultiChoice('A, B, C', NUMBERS, right, 0.81).verdict).toBe('fail');
  });

  test('an unclear answer fails with a reason', () => {
    expect(checkMultiChoice('Hard to say.', NUMBERS, right)).toEqual({
      value: 0,
      verdict: 'fail',
      detail: { reason: 'The response does not say clearly which options it chooses.', expected: ['A', 'C'] },
    });
  });
});

test.each([
  ['labels', 'the answers are '.repeat(60_000)],
  ['letters', 'A, C and '.repeat(110_000)],
  ['separators', `the answers are ${', and '.repeat(200_000)}`],
  ['letters on one line', 'A '.repeat(500_000)],
  ['praise', 'A is correct '.repeat(80_000)],
])('a megabyte of %s is read in linear time', (_, response) => {
  const before = process.cpuUsage();
  chosenSet(response, NUMBERS);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(4000);
});
