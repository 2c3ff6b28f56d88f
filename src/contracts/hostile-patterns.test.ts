import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluateFacts } from './evaluate-facts.ts';
import type { Facts } from './facts.ts';
import { DEADLINE_MS } from './limits.ts';
import { parseContract } from './parse-contract.ts';

describe('a hostile pattern', () => {
  const atom = fc.constantFrom(
    'a',
    '[ab]',
    '(a|b)',
    '(a+)',
    '(a*)*',
    '[^c]',
    '.',
    '(?i)a',
    '\\p{L}',
    '[ac][abc]',
    '(a?)',
  );
  const times = fc.oneof(
    fc.constantFrom('+', '*', '?', '+$', ''),
    fc.integer({ min: 0, max: 1200 }).map((n) => `{${n}}`),
    fc.integer({ min: 0, max: 1200 }).map((n) => `{0,${n}}`),
  );
  const hostile = fc
    .array(fc.tuple(atom, times), { minLength: 1, maxLength: 6 })
    .map((parts) => parts.map((part) => part.join('')).join(''));
  const KNOWN = [
    '(a+)+$',
    '(x+x+)+y',
    '([a-zA-Z]+)*$',
    '(a|aa)+$',
    '(a|a?)+$',
    '[ac][abc]{200}[de]',
    '(a?){500}a{500}',
    '(.*)*=',
    'a{1000}'.repeat(4),
  ];
  let seed = 1;
  const noise = (length: number) => {
    let text = '';
    for (let i = 0; i < length; i++) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      text += 'ab'[(seed >> 16) & 1];
    }
    return text;
  };
  const texts = [noise(1_000_000), ...Array.from({ length: 1000 }, () => noise(1000)), 'a'.repeat(100_000)];
  const seen: Facts = {
    url: `${'a'.repeat(5000)}!`,
    network: texts.map((url, ts) => ({ url, status: 200, ts })),
    markers: { contract_enter: 0 },
  };

  /** The CPU time of this process: other work on the machine does not count. */
  const cost = (work: () => void) => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const evaluation = (source: string) => () => {
    const parsed = parseContract({
      kind: 'or',
      children: [
        { kind: 'url', pattern: source },
        { kind: 'network', url_pattern: source, status_in: [200], since: 'contract_enter' },
      ],
    });
    if (parsed.ok) evaluateFacts(parsed.contract, seen);
  };

  test.each(KNOWN)('%s stays within the deadline', (source) => {
    expect(cost(evaluation(source))).toBeLessThan(DEADLINE_MS);
  });

  test('in every one of 63 leaves stays within the deadline', () => {
    const children = Array.from({ length: 63 }, (_, i) => ({
      kind: 'network',
      url_pattern: `[ac][abc]{${60 + i}}[de]`,
      status_in: [200],
      since: 'contract_enter',
    }));
    const parsed = parseContract({ kind: 'and', children });
    const work = () => parsed.ok && expect(evaluateFacts(parsed.contract, seen).verdict).toBe('inconclusive');
    expect(parsed.ok).toBe(true);
    expect(cost(work)).toBeLessThan(DEADLINE_MS);
  });

  test('of any shape stays within the deadline', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        expect(cost(evaluation(source))).toBeLessThan(DEADLINE_MS);
      }),
      { numRuns: 30 },
    );
  });
});
