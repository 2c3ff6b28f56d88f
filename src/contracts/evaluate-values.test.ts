/** What contracts see beside a contained text: exact text, patterns, controls, values of the page's script, and pages opened at the end. */
import { describe, expect, test } from 'vitest';
import { compactFacts } from './compact-facts.ts';
import { evaluateFacts } from './evaluate-facts.ts';
import { explain } from './explain.ts';
import { type ControlFact, type Facts, factsNeeded } from './facts.ts';
import { parseContract } from './parse-contract.ts';
import type { Contract, LeafOf } from './schema.ts';

/** The verdict, which must be the same from what the journal keeps. */
function verdict(contract: Contract, facts: Facts): string {
  const evidence = evaluateFacts(contract, facts);
  expect(evaluateFacts(contract, compactFacts(contract, facts))).toEqual(evidence);
  return evidence.verdict;
}

describe('dom_text', () => {
  const is = (asked: Omit<LeafOf<'dom_text'>, 'kind'>, text: string) =>
    verdict({ kind: 'dom_text', selector: 'p', ...asked }, { domText: { p: text } });

  test.each([
    ['Total: 5', 'pass'],
    ['  Total:\n\t5 ', 'pass'],
    ['Total: 55', 'fail'],
    ['total: 5', 'fail'],
    ['', 'fail'],
  ])('equals compares the whole text without its white space: %j is a %s', (text, expected) => {
    expect(is({ equals: 'Total:  5' }, text)).toBe(expected);
  });

  test.each([
    ['Total: 5', 'pass'],
    ['The Total: 17 EUR', 'pass'],
    ['Total: none', 'fail'],
  ])('pattern matches anywhere: %j is a %s', (text, expected) => {
    expect(is({ pattern: 'Total: [0-9]+' }, text)).toBe(expected);
  });

  test('a long text is compared whole, and kept as what it was compared with', () => {
    const text = `${'x '.repeat(200_000)}Thank you`;
    const children: Contract[] = [
      { kind: 'dom_text', contains: 'Thank you' },
      { kind: 'dom_text', equals: text.slice(0, 4_000) },
      { kind: 'dom_text', pattern: 'Thank [a-z]+$' },
    ];
    const contract: Contract = { kind: 'and', children };
    const facts = compactFacts(contract, { domText: { body: text } });
    expect(facts.domText).toEqual({
      body: {
        preview: text.slice(0, 240),
        length: text.length,
        contains: { 'Thank you': true },
        equals: { [text.slice(0, 4_000)]: false },
        patterns: { 'Thank [a-z]+$': true },
      },
    });
    expect(children.map((child) => verdict(child, { domText: { body: text } }))).toEqual(['pass', 'fail', 'pass']);
  });

  test('a text that is too long for its pattern is inconclusive, and says so', () => {
    const contract: Contract = { kind: 'dom_text', pattern: '(a|b){3}c[0-9]{40}' };
    const facts = { domText: { body: 'ab'.repeat(1_000_000) } };
    expect(verdict(contract, facts)).toBe('inconclusive');
    expect(explain(evaluateFacts(contract, facts))).toEqual([
      'Inconclusive: the first element that matches "body" matches "(a|b){3}c[0-9]{40}". Reason: Its 2000000 characters are more than this pattern may search.',
    ]);
  });
});

describe('dom_value', () => {
  const is = (asked: Omit<LeafOf<'dom_value'>, 'kind' | 'selector'>, control: ControlFact | null) =>
    verdict({ kind: 'dom_value', selector: '#it', ...asked }, { domValue: { '#it': control } });

  test.each<[Omit<LeafOf<'dom_value'>, 'kind' | 'selector'>, ControlFact | null, string]>([
    [{ equals: 'Ada' }, { value: 'Ada' }, 'pass'],
    [{ equals: 'Ada' }, { value: ' Ada' }, 'fail'],
    [{ equals: '' }, { value: '' }, 'pass'],
    [{ equals: '' }, { value: null }, 'fail'],
    [{ equals: '' }, null, 'fail'],
    [{ equals: 'x'.repeat(300) }, { value: 'x'.repeat(300) }, 'pass'],
    [{ pattern: '^A' }, { value: 'Ada' }, 'pass'],
    [{ pattern: 'y$' }, { value: `${'x'.repeat(300)}y` }, 'pass'],
    [{ pattern: '^B' }, { value: 'Ada' }, 'fail'],
    [{ checked: true }, { value: 'on', checked: true }, 'pass'],
    [{ checked: false }, { value: 'on', checked: true }, 'fail'],
    [{ checked: false }, { value: 'Ada' }, 'fail'],
    [{ selected: true }, { value: 'l', selected: true }, 'pass'],
    [{ selected: false }, { value: 'l', selected: true }, 'fail'],
    [{ selected: 'Large' }, { value: 'l', selected: [{ label: 'Large', value: 'l' }] }, 'pass'],
    [{ selected: 'l' }, { value: 'l', selected: [{ label: 'Large', value: 'l' }] }, 'pass'],
    [{ selected: 'Small' }, { value: 'l', selected: [{ label: 'Large', value: 'l' }] }, 'fail'],
    [{ selected: [] }, { value: '', selected: [] }, 'pass'],
    [{ selected: ['B', 'A'] }, { value: 'a', selected: ['A', 'B'].map((label) => ({ label, value: label })) }, 'pass'],
    [{ selected: ['A'] }, { value: 'a', selected: ['A', 'B'].map((label) => ({ label, value: label })) }, 'fail'],
    [{ selected: ['A'] }, { value: 'A' }, 'fail'],
    [{ op: 'eq', value: 5 }, { value: '5.0' }, 'pass'],
    [{ op: 'eq', value: 34.5, tolerance: 0.1 }, { value: '34.6' }, 'pass'],
    [{ op: 'eq', value: 34.5, tolerance: 0.1 }, { value: '34.7' }, 'fail'],
    [{ op: 'gte', value: -5 }, { value: '-4' }, 'pass'],
    [{ op: 'gte', value: 10, tolerance: 1 }, { value: '9' }, 'pass'],
    [{ op: 'lte', value: 10 }, { value: '10.1' }, 'fail'],
    [{ op: 'lte', value: 10 }, { value: '' }, 'fail'],
    [{ op: 'lte', value: 10 }, { value: '5 pieces' }, 'fail'],
    [{ op: 'gte', value: 1 }, { value: '9'.repeat(400) }, 'fail'],
  ])('%j of %j is a %s', (asked, control, expected) => {
    expect(is(asked, control)).toBe(expected);
  });

  test('says what it wanted and what it saw', () => {
    const lines = (contract: Omit<LeafOf<'dom_value'>, 'kind' | 'selector'>, control: ControlFact | null) =>
      explain(evaluateFacts({ kind: 'dom_value', selector: '#it', ...contract }, { domValue: { '#it': control } }));
    expect([
      ...lines({ equals: 'Ada' }, { value: 'Bob' }),
      ...lines({ checked: true }, { value: 'on', checked: false }),
      ...lines({ selected: ['A', 'B'] }, { value: 'a', selected: [{ label: 'A', value: 'a' }] }),
      ...lines({ op: 'eq', value: 3, tolerance: 0.5 }, { value: '3.2' }),
      ...lines({ op: 'gte', value: 3 }, null),
    ]).toEqual([
      'Failed: the control that matches "#it" has the value "Ada". Observed: its value is "Bob".',
      'Failed: the control that matches "#it" is checked. Observed: it is not checked.',
      'Failed: the control that matches "#it" has exactly "A", "B" selected. Observed: "A" is selected.',
      'Passed: the control that matches "#it" has a value of exactly 3, give or take 0.5. Observed: its value is 3.2.',
      'Failed: the control that matches "#it" has a value of at least 3. Observed: no element matches, or it has no such state.',
    ]);
  });
});

describe('script', () => {
  const is = (asked: Omit<LeafOf<'script'>, 'kind' | 'expression' | 'forgeable'>, value: unknown) =>
    verdict({ kind: 'script', expression: 'app.state', forgeable: true, ...asked }, {
      script: { 'app.state': value },
    } as Facts);

  test.each<[Omit<LeafOf<'script'>, 'kind' | 'expression' | 'forgeable'>, unknown, string]>([
    [{ equals: { b: [1, null], a: true } }, { a: true, b: [1, null] }, 'pass'],
    [{ equals: [1, 2] }, [2, 1], 'fail'],
    [{ equals: null }, null, 'pass'],
    [{ equals: '5' }, 5, 'fail'],
    [{ op: 'gte', value: 100 }, 120, 'pass'],
    [{ op: 'eq', value: 1, tolerance: 0.01 }, 1.005, 'pass'],
    [{ op: 'gte', value: 100 }, '120', 'fail'],
    [{ pattern: '^won' }, 'won in 3', 'pass'],
    [{ pattern: '^4[0-9]$' }, 42, 'pass'],
    [{ pattern: 'null' }, null, 'fail'],
    [{ pattern: '.' }, ['a'], 'fail'],
  ])('%j of %j is a %s', (asked, value, expected) => {
    expect(is(asked, value)).toBe(expected);
  });

  test('a value that was not recorded is inconclusive with its reason, and every sentence says that it can be forged', () => {
    const contract: Contract = { kind: 'script', expression: 'x.y', equals: 1, forgeable: true };
    const unavailable = { 'script:x.y': 'The expression threw: TypeError.' };
    expect(explain(evaluateFacts(contract, { unavailable }))).toEqual([
      'Inconclusive: the expression "x.y" has the value 1 (forgeable by an agent that may run code in the page). Reason: The expression threw: TypeError.',
    ]);
    expect(parseContract({ kind: 'script', expression: 'x', equals: 1 })).toEqual({
      ok: false,
      problems: [{ path: '$.forgeable', message: '"forgeable" is missing; expected true.' }],
    });
  });
});

describe('a page that is opened at the end', () => {
  const contract: Contract = { kind: 'dom_text', page_url: '/cart', contains: 'Candles' };

  test('is unknown before, and is not the page of the agent', () => {
    expect(verdict(contract, { domText: { body: 'Candles' } })).toBe('inconclusive');
    expect(
      verdict(contract, { domText: { body: 'Candles' }, pages: { '/cart': { domText: { body: 'Empty' } } } }),
    ).toBe('fail');
    expect(verdict(contract, { pages: { '/cart': { domText: { body: '2 Candles' } } } })).toBe('pass');
  });

  test('that could not be opened says why', () => {
    const pages = { '/cart': { unavailable: { dom: 'It was answered with the status 500.' } } };
    expect(explain(evaluateFacts(contract, { pages }))).toEqual([
      'Inconclusive: on "/cart", opened at the end, the first element that matches "body" contains "Candles". Reason: It was answered with the status 500.',
    ]);
  });

  test('has its own controls and counts', () => {
    const children: Contract[] = [
      { kind: 'dom_value', selector: '#qty', op: 'eq', value: 2, page_url: 'https://shop.example/cart' },
      { kind: 'dom_count', selector: 'li', op: 'gte', value: 1, page_url: 'https://shop.example/cart' },
    ];
    const page = { domValue: { '#qty': { value: '2' } }, domCount: { li: 1 } };
    expect(verdict({ kind: 'and', children }, { pages: { 'https://shop.example/cart': page } })).toBe('pass');
  });

  test('has its own script', () => {
    const asked: Contract = { kind: 'script', expression: 'cart.sum', equals: 3, forgeable: true, page_url: '/cart' };
    expect(factsNeeded(asked)).toMatchObject({ script: [], pages: [{ url: '/cart', script: ['cart.sum'] }] });
    expect(verdict(asked, { script: { 'cart.sum': 3 } })).toBe('inconclusive');
    expect(verdict(asked, { pages: { '/cart': { script: { 'cart.sum': 3 } } } })).toBe('pass');
    expect(verdict(asked, { script: { 'cart.sum': 3 }, pages: { '/cart': { script: { 'cart.sum': 2 } } } })).toBe(
      'fail',
    );
    const pages = { '/cart': { unavailable: { dom: 'It was answered with the status 500.' } } };
    expect(explain(evaluateFacts(asked, { pages }))).toEqual([
      'Inconclusive: on "/cart", opened at the end, the expression "cart.sum" has the value 3 (forgeable by an agent that may run code in the page). Reason: It was answered with the status 500.',
    ]);
  });
});

test.each(['screenshot', 'url', 'network', 'dialogs', 'domText', 'domValue', 'script', 'pages', 'exemplars'] as const)(
  'a fact that is null was not observed: %s',
  (name) => {
    const children: Contract[] = [
      { kind: 'screenshot_class', class_id: 'done', distance_max: 4 },
      { kind: 'url', pattern: 'x' },
      { kind: 'network', url_pattern: 'x', status_in: [200], since: 'contract_enter' },
      { kind: 'no_dialog' },
      { kind: 'dom_text', contains: 'x' },
      { kind: 'dom_value', selector: 'a', equals: 'x' },
      { kind: 'script', expression: 'x', equals: 1, forgeable: true },
      { kind: 'dom_count', selector: 'a', op: 'eq', value: 1, page_url: '/x' },
    ];
    const facts = { [name]: null } as unknown as Facts;
    expect(verdict({ kind: 'or', children }, facts)).toBe('inconclusive');
  },
);
