import { describe, expect, test } from 'vitest';
import { compilePattern } from './pattern.ts';
import { scanFor, stepsPerLeaf } from './pattern-scan.ts';
import { patternSize } from './pattern-size.ts';
import type { Contract } from './schema.ts';

const matches = (pattern: string, text: string) => {
  const compiled = compilePattern(pattern);
  return compiled.ok ? compiled.pattern.test(text) : compiled.problem;
};

describe('a pattern', () => {
  test('matches anywhere and is case-sensitive, unless the pattern says otherwise', () => {
    expect(matches('orders/[0-9]+', 'https://shop.example/orders/17?x')).toBe(true);
    expect(matches('Orders', 'https://shop.example/orders/17')).toBe(false);
    expect(matches('(?i)Orders', 'https://shop.example/orders/17')).toBe(true);
    expect(matches('^orders', 'https://shop.example/orders')).toBe(false);
    expect(matches('orders$', 'https://shop.example/orders\n')).toBe(false);
    expect(matches('', '')).toBe(true);
    expect(matches('a.b', 'a\nb')).toBe(false);
  });

  test('gives the same answer again from the cache', () => {
    const first = compilePattern('cached/[a-z]+');
    expect(compilePattern('cached/[a-z]+')).toBe(first);
    for (let i = 0; i < 600; i++) compilePattern(`fill${i}`);
    expect(compilePattern('cached/[a-z]+')).not.toBe(first);
    expect(matches('cached/[a-z]+', 'cached/x')).toBe(true);
  });

  test('is compiled again after much work, so that its automaton does not stay in memory', () => {
    const first = compilePattern('heavy[0-9]');
    expect(matches('heavy[0-9]', 'x'.repeat(1_000_000))).toBe(false);
    expect(compilePattern('heavy[0-9]')).not.toBe(first);
  });

  test.each([
    [
      '(?=a)',
      'lookaround, here (?=, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.',
    ],
    [
      'a(?!b)',
      'lookaround, here (?!, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.',
    ],
    [
      '(?<=a)b',
      'lookaround, here (?<=, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.',
    ],
    [
      '(?<!a)b',
      'lookaround, here (?<!, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.',
    ],
    ['(a)\\1', 'a backreference, here \\1, cannot be matched in linear time; write out what it should repeat.'],
    ['(?<n>a)\\k<n>', 'a backreference, here \\k, cannot be matched in linear time; write out what it should repeat.'],
    [
      '(?P<n>a)(?P=n)',
      'a backreference, here (?P=, cannot be matched in linear time; write out what it should repeat.',
    ],
    ['(', 'missing closing ) at (.'],
    ['a)', 'unexpected ) at a).'],
    ['[z-a]', 'invalid character class range at z-a.'],
    ['*', 'missing argument to repetition operator at *.'],
    ['a**', 'invalid nested repetition operator at **.'],
    ['\\', 'trailing backslash at end of expression.'],
    ['\\y', 'invalid escape sequence at \\y.'],
    ['a{1001}', 'a repetition such as {1001} must count upwards, and at most to 1000.'],
    ['a{3,2}', 'a repetition such as {3,2} must count upwards, and at most to 1000.'],
    ['(?:a{1000}){1000}', 'its repetitions write out to more than 5000 instructions; use smaller counts.'],
    ['a{1000}'.repeat(580), 'its repetitions write out to more than 5000 instructions; use smaller counts.'],
  ])('%s is refused with the reason', (pattern, problem) => {
    expect(compilePattern(pattern)).toEqual({ ok: false, problem });
  });
});

describe('the size of a pattern is known before it is compiled', () => {
  test.each([
    ['abc', 3],
    ['[0-9a-f]{64}', 129],
    ['(?:ab){10}', 76],
    ['[]a{9}]x', 2],
    ['[[:alpha:]{9}]x', 2],
    ['\\x{1000}\\p{Greek}', 2],
    ['\\Q({9})\\E', 5],
    ['(a\\Q)\\E){100}', 504],
    ['a{,9}', 5],
  ])('%s', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size);
  });
});

describe('a scan', () => {
  test('shares the work of one evaluation with the other leaves that have a pattern', () => {
    const leaf: Contract = { kind: 'url', pattern: 'x' };
    const other: Contract = { kind: 'not', child: { kind: 'or', children: [leaf, { kind: 'no_dialog' }] } };
    expect(stepsPerLeaf({ kind: 'no_dialog' })).toBe(10_000_000);
    expect(stepsPerLeaf({ kind: 'and', children: [leaf, leaf, leaf, other] })).toBe(2_500_000);
  });

  test('stops when its work is used up, and says so', () => {
    const scan = scanFor('b[0-9]', 1000);
    expect(scan.test('ab1')).toBe(true);
    expect(scan.test('x'.repeat(1000))).toBe(undefined);
    expect(scan.test('ab1')).toBe(true);
    expect(scan.reason).toBe(
      'The text is so long that searching it with this pattern would take more than the allowed work.',
    );
  });

  test('of a plain string costs its text once, however long the string', () => {
    expect(scanFor('shop\\.example/a-very-long-path', 2000).test('x'.repeat(1900))).toBe(false);
  });

  test('with an invalid pattern is always undefined', () => {
    const scan = scanFor('(', 1000);
    expect([scan.test('('), scan.reason]).toEqual([undefined, 'The pattern cannot be used: missing closing ) at (.']);
  });
});
