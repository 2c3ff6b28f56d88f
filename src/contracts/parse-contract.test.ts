import { describe, expect, test } from 'vitest';
import { parseContract } from './parse-contract.ts';
import type { Contract } from './schema.ts';

const all: Contract[] = [
  { kind: 'url', pattern: '^https://shop\\.example/orders/[0-9]+$' },
  { kind: 'dom_text', contains: 'Thank you' },
  { kind: 'dom_text', selector: 'main h1', contains: '' },
  { kind: 'dom_count', selector: 'ul > li:not(.gone)', op: 'eq', value: 0 },
  { kind: 'network', url_pattern: '/api/orders', status_in: [200, 201], since: 'last_tool_call' },
  { kind: 'screenshot_class', class_id: 'cart', distance_max: 64 },
  { kind: 'no_dialog' },
  { kind: 'image_qa', question: 'Is the cart empty?', expected_pattern: '(?i)yes' },
  { kind: 'answer', pattern: '^42$' },
  { kind: 'performance', schema_version: 1, metric: 'LCP', unit: 'ms', op: 'lte', value: 2500.5, max_age_ms: 5000 },
  { kind: 'console', schema_version: 1, op: 'eq', value: 0, max_age_ms: 5000 },
  {
    kind: 'console',
    schema_version: 1,
    type: 'error',
    message_pattern: 'x',
    uncaught: true,
    op: 'lte',
    value: 3,
    max_age_ms: 0,
  },
];

/** The problems as lines, as a user sees them. */
function problems(input: unknown): string[] {
  const parsed = parseContract(input);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

const nested = (depth: number): unknown =>
  depth === 1 ? { kind: 'no_dialog' } : { kind: 'not', child: nested(depth - 1) };

describe('a valid contract', () => {
  test.each(all.map((contract) => [contract.kind, contract] as const))('%s', (_, contract) => {
    expect(parseContract(contract)).toEqual({ ok: true, contract });
  });

  test('of all kinds, nested', () => {
    const contract = {
      kind: 'and',
      children: [
        { kind: 'or', children: all },
        { kind: 'not', child: { kind: 'no_dialog' } },
      ],
    };
    expect(parseContract(contract)).toEqual({ ok: true, contract });
  });

  test('is copied: changing the input afterwards changes nothing', () => {
    const input = {
      kind: 'and',
      children: [{ kind: 'network', url_pattern: 'x', status_in: [200], since: 'contract_enter' }],
    };
    const parsed = parseContract(input);
    input.children[0]?.status_in.push(500);
    expect(parsed.ok && parsed.contract).toEqual({
      kind: 'and',
      children: [{ kind: 'network', url_pattern: 'x', status_in: [200], since: 'contract_enter' }],
    });
  });

  test('at the limits: depth 8, 64 assertions, 4096 bytes', () => {
    const children = Array.from({ length: 63 }, () => ({ kind: 'no_dialog' }));
    expect(problems(nested(8))).toEqual([]);
    expect(problems({ kind: 'and', children })).toEqual([]);
    expect(problems({ kind: 'dom_text', contains: 'é'.repeat(2048) })).toEqual([]);
    expect(problems({ kind: 'dom_text', contains: '🎉'.repeat(1024) })).toEqual([]);
  });
});

describe('hostile input is refused, quickly and without a throw', () => {
  const deep = (levels: number, wrap: (inner: unknown) => unknown) => {
    let input: unknown = { kind: 'no_dialog' };
    for (let i = 0; i < levels; i++) input = wrap(input);
    return input;
  };
  test.each<[string, unknown, number]>([
    ['100,000 nots', deep(100_000, (child) => ({ kind: 'not', child })), 1],
    ['100,000 ands', deep(100_000, (child) => ({ kind: 'and', children: [child] })), 1],
    ['100,000 lists', deep(100_000, (inner) => [inner]), 1],
    ['a million children', { kind: 'or', children: Array(1e6).fill({ kind: 'no_dialog' }) }, 1],
    ['a million holes', { kind: 'or', children: new Array(1e6) }, 64],
    [
      'a hundred thousand unknown fields',
      Object.fromEntries(
        Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 0]).concat([['kind', 'no_dialog'] as never]),
      ),
      257,
    ],
    ['a string of ten million characters', { kind: 'url', pattern: '('.repeat(1e7) }, 1],
    ['a kind of ten million characters', { kind: 'u'.repeat(1e7) }, 1],
  ])('%s', (_, input, count) => {
    const lines = problems(input);
    expect(lines).toHaveLength(count);
    for (const line of lines) expect(line.length).toBeLessThan(1000);
  });

  test('a cycle is cut at the limits', () => {
    const cyclic: { kind: string; children: unknown[] } = { kind: 'and', children: [] };
    cyclic.children.push(cyclic, cyclic);
    expect(problems(cyclic).at(-1)).toBe(
      '$: A contract may hold 64 assertions at most; this one has more, and only the first 64 were checked.',
    );
  });

  test('past 256 problems, the rest is counted', () => {
    const fields = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, 0]));
    expect(problems({ kind: 'no_dialog', ...fields }).at(-1)).toBe('$: 44 more problems are not listed.');
  });
});
