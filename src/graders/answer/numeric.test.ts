import { describe, expect, test } from 'vitest';
import { parseExpected } from '../../cases/index.ts';
import { checkNumeric, givenNumber } from './numeric.ts';

describe('the number of a response', () => {
  test.each([
    ['42', 42],
    ['42.', 42],
    ['**42**', 42],
    ['`42`', 42],
    ['-42', -42],
    ['−42', -42],
    ['–42', -42],
    ['+42', 42],
    ['４２', 42],
    ['3.14', 3.14],
    ['.5', 0.5],
    ['0,5', 0.5],
    ['3,200400', 3.2004],
    // Thousands.
    ['1,234', 1234],
    ['1,234,567.89', 1234567.89],
    ['1.234.567,89', 1234567.89],
    ['1.234,5', 1234.5],
    ['1.234', 1.234],
    ['1 234 567', 1234567],
    ['1\u202f234\u00a0567', 1234567],
    ["1'234'567", 1234567],
    ['1’234', 1234],
    ['1_000_000', 1000000],
    ['12,34,567', 1234567],
    ['1{,}234', 1234],
    // Units and money.
    ['It is 299,792,458 m/s.', 299792458],
    ['about 5km', 5],
    ['$1,299.99', 1299.99],
    ['-$5', -5],
    ['€20', 20],
    ['37 °C', 37],
    ['≈ 9.81 m/s²', 9.81],
    ['the 42nd', 42],
    // Fractions.
    ['3/4', 0.75],
    ['3⁄4', 0.75],
    ['½', 0.5],
    ['1½', 1.5],
    ['1 1/2', 1.5],
    ['-3/4', -0.75],
    ['\\frac{3}{4}', 0.75],
    ['\\(\\dfrac{7}{8}\\)', 0.875],
    // Scientific.
    ['6.022e23', 6.022e23],
    ['6.022E+23', 6.022e23],
    ['1e-5', 1e-5],
    ['6.022×10²³', 6.022e23],
    ['6.022 x 10^23', 6.022e23],
    ['6.022 * 10**23', 6.022e23],
    ['1.6 \\times 10^{-19}', 1.6e-19],
    ['10⁵', 1e5],
    ['10^5', 1e5],
    ['2^10', 1024],
    ['1.5 million', 1.5e6],
    ['8 billion people', 8e9],
    // Percent.
    ['25%', 25],
    ['25 %', 25],
    ['25 percent', 25],
    ['12.5\\%', 12.5],
    // Labelled, or last.
    ['The answer is 42.', 42],
    ['The answer is 42 because 6 × 7 is 42, which is less than 50.', 42],
    ['Answer: 42\n\nCheck: 6 × 8 = 48 is too much.', 42],
    ['**Final answer:**\n\n42', 42],
    ['The answer is 6 × 7 = 42.', 42],
    ['6 × 7 = 42', 42],
    ['17 + 25 = 42', 42],
    ['\\boxed{42}', 42],
    ['So we get $\\boxed{1{,}234}$ after 3 steps.', 1234],
    ['#### 42', 42],
    ['The total number of apples is 42, from 3 baskets.', 42],
    ['The answer is 40. No, the answer is 42.', 42],
    ['First 10, then 20, finally 42', 42],
    ['Water boils at **100** degrees Celsius.', 100],
    // Not numbers: step numbers, names, dates.
    ['1. Take 6.\n2. Multiply by 7.\n3. That makes 42.', 42],
    ['42\n\n1. Because of six\n2. And of seven', 42],
    ['Step 1: take 40\nStep 2: add 2\nThe sum: 42', 42],
    ['42 molecules of H2O', 42],
    ['It has 42 parameters, unlike GPT-4', 42],
    ['10-12', 12],
    ['It was 42 (see 20/07/1969)', 42],
    // Words.
    ['A hexagon has six sides.', 6],
    ['forty-two', 42],
    ['Ninety', 90],
    ['two hundred', 200],
  ])('%j', (response, expected) => {
    expect(givenNumber(response)?.value).toBeCloseTo(expected, 12);
  });

  test.each(['', 'I do not know.', 'H2O', 'someone', '…'])('%j has none', (response) => {
    expect(givenNumber(response)).toBeUndefined();
  });
});

describe('a numeric check', () => {
  test.each([
    ['42', 42, {}, 'pass'],
    ['43', 42, {}, 'fail'],
    ['42.0000000000001', 42, {}, 'pass'],
    ['42.001', 42, {}, 'fail'],
    ['100.4', 100, { abs_tol: 0.5 }, 'pass'],
    ['100.5', 100, { abs_tol: 0.5 }, 'pass'],
    ['100.6', 100, { abs_tol: 0.5 }, 'fail'],
    ['0.3', 0.1 + 0.2, {}, 'pass'],
    ['101', 100, { rel_tol: 0.01 }, 'pass'],
    ['101.1', 100, { rel_tol: 0.01 }, 'fail'],
    ['-101', -100, { rel_tol: 0.01 }, 'pass'],
    ['0', 0, { rel_tol: 0.5 }, 'pass'],
    ['0.1', 0, { rel_tol: 0.5 }, 'fail'],
    ['0.333', '1/3', { abs_tol: 0.001 }, 'pass'],
    ['1/3', '1/3', {}, 'pass'],
    ['25%', 0.25, {}, 'pass'],
    ['25%', 25, {}, 'pass'],
    ['25', '25%', {}, 'pass'],
    ['0.25', '25%', {}, 'pass'],
    ['25%', '25%', {}, 'pass'],
    ['0.25%', '25%', {}, 'fail'],
    ['2.5', '25%', {}, 'fail'],
    ['one thousand', '1,000', {}, 'pass'],
    ['1000', '1,000', {}, 'pass'],
    ['no idea', 42, {}, 'fail'],
  ])('%j against %j with %j: %s', (response, answer, tolerance, verdict) => {
    const expected = parseExpected(answer);
    if (!expected) throw new Error('no number');
    expect(checkNumeric(response, expected, tolerance).verdict).toBe(verdict);
  });

  test('shows the found number and the correct one', () => {
    expect(checkNumeric('The answer is 1,234.', { value: 42, isPercent: false })).toEqual({
      value: 0,
      verdict: 'fail',
      detail: { reason: 'The response says 1,234, not 42.', found: 1234, expected: 42 },
    });
    expect(checkNumeric('none', { value: 42, isPercent: false }).detail).toEqual({
      reason: 'The response contains no number.',
      expected: 42,
    });
  });
});

test.each([
  [42, 42],
  ['1,234', 1234],
  ['3/4', 0.75],
  ['25%', 25],
  ['-1.5e3', -1500],
  ['$5', 5],
  ['4 or 5', undefined],
  ['about 4', undefined],
  ['four', undefined],
  [Number.NaN, undefined],
  [null, undefined],
])('the dataset’s answer %j is %j', (answer, expected) => {
  expect(parseExpected(answer)?.value).toBe(expected);
});

test.each([
  ['digits', '1'.repeat(1_000_000)],
  ['groups', '1,'.repeat(500_000)],
  ['dots', '.'.repeat(1_000_000)],
  ['numbers', '1 234 '.repeat(160_000)],
  ['labels', 'the answer is '.repeat(70_000)],
  ['labels with numbers', 'answer: 1 = '.repeat(80_000)],
  ['spaces', `1${' '.repeat(1_000_000)}2`],
  ['slashes', '1/'.repeat(500_000)],
  ['steps', Array.from({ length: 60_000 }, (_, index) => `${index}. step`).join('\n')],
])('a megabyte of %s is read in linear time', (_, response) => {
  const before = process.cpuUsage();
  givenNumber(response);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(4000);
});
