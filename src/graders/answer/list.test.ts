import { describe, expect, test } from 'vitest';
import { checkerSchema } from '../../cases/schemas.ts';
import { checkAnswer } from './check-answer.ts';
import { listReadings } from './split-list.ts';

type Row = readonly [response: string, expected: unknown, options: Record<string, unknown>, verdict: string];

const COLOURS = ['red', 'green', 'blue'];
const ROWS: Row[] = [
  ['red, green, blue', COLOURS, {}, 'pass'],
  ['red, green and blue', COLOURS, {}, 'pass'],
  ['red, green, and blue.', COLOURS, {}, 'pass'],
  ['red; green; blue', COLOURS, {}, 'pass'],
  ['red\ngreen\nblue', COLOURS, {}, 'pass'],
  ['- red\n- green\n- blue', COLOURS, {}, 'pass'],
  ['The colours are:\n\n1. **red**\n2. green\n3. blue\n\nThat is all.', COLOURS, {}, 'pass'],
  ['["red", "green", "blue"]', COLOURS, {}, 'pass'],
  ['Here:\n```json\n["red", "green", "blue"]\n```', COLOURS, {}, 'pass'],
  ['Final answer: red, green, blue', COLOURS, {}, 'pass'],
  ['Blue, GREEN, red', COLOURS, {}, 'pass'],
  ['Blue, GREEN, red', COLOURS, { ordered: true }, 'fail'],
  ['red, green, blue', COLOURS, { ordered: true }, 'pass'],
  ['red, green', COLOURS, {}, 'fail'],
  ['red, green, blue, black', COLOURS, {}, 'fail'],
  ['red, green, blue, black', COLOURS, { subset: true }, 'pass'],
  ['black, red, green, blue', COLOURS, { subset: true, ordered: true }, 'pass'],
  ['green, black, red, blue', COLOURS, { subset: true, ordered: true }, 'fail'],
  ['red, red, blue', COLOURS, {}, 'fail'],
  ['red, red', ['red'], {}, 'fail'],
  ['red', ['red'], {}, 'pass'],
  ['salt and pepper', ['salt and pepper'], {}, 'pass'],
  ['salt and pepper', ['salt', 'pepper'], {}, 'pass'],
  ['Paris, France; Rome, Italy', ['Paris, France', 'Rome, Italy'], {}, 'pass'],
  ['Paris, France\nRome, Italy', ['Paris, France', 'Rome, Italy'], { separator: 'line' }, 'pass'],
  ['Paris, France', ['Paris, France'], {}, 'pass'],
  ['Paris, France', ['Paris, France'], { separator: 'comma' }, 'fail'],
  ['1,234 and 5', [1234, 5], { items: { kind: 'numeric' } }, 'pass'],
  ['[1234, 5.0]', [5, 1234], { items: { kind: 'numeric' } }, 'pass'],
  ['$5, $6', ['$5.00', '$6.00'], { items: { kind: 'currency' } }, 'pass'],
  ['7 min; 1 h', ['60 min', '7 minutes'], { items: { kind: 'duration' } }, 'pass'],
  ['2024-03-04; March 5, 2024', ['2024-03-05', '2024-03-04'], { items: { kind: 'date' } }, 'pass'],
  ['03/04/2024; 2024-03-05', ['2024-03-05', '2024-03-04'], { items: { kind: 'date' } }, 'fail'],
  // Each element of the answer may have alternatives, and two elements of the response may fit one of them.
  ['[10, 15]', [[10, 17], 15], { items: { kind: 'numeric' } }, 'pass'],
  ['[17, 10]', [[10, 17], 10], { items: { kind: 'numeric' } }, 'pass'],
  ['[10, 11]', [11, 10], { items: { kind: 'numeric', abs_tol: 1 } }, 'pass'],
  ['[10, 10]', [[10, 17], 15], { items: { kind: 'numeric' } }, 'fail'],
  ['[null, "a"]', ['a', null], {}, 'pass'],
  ['["a", "null"]', ['a', null], {}, 'fail'],
  ['[{"n": "a", "c": 1}]', [{ n: 'A', c: 1 }], { items: { kind: 'json', keys: { n: { kind: 'exact' } } } }, 'pass'],
  ['[{"n": "b", "c": 1}]', [{ n: 'A', c: 1 }], { items: { kind: 'json', keys: { n: { kind: 'exact' } } } }, 'fail'],
  ['{"n": "A"}', [{ n: 'A' }], { items: { kind: 'json' } }, 'pass'],
  ['[]', [], {}, 'pass'],
  ['nothing', [], {}, 'fail'],
  ['see [1]', [1], { items: { kind: 'exact' } }, 'fail'],
  ['red', 'red', {}, 'error'],
  ['red', ['03/04/2024'], { items: { kind: 'date' } }, 'error'],
];

describe('list', () => {
  test.each(ROWS)('%j against %j with %j: %s', (response, expected, options, verdict) => {
    expect(
      checkAnswer({ checker: checkerSchema.parse({ kind: 'list', ...options }), expected }, response).verdict,
    ).toBe(verdict);
  });

  test('names the element that is missing', () => {
    expect(checkAnswer({ checker: { kind: 'list' }, expected: COLOURS }, 'red, green, black').detail).toEqual({
      reason: 'Element 3 of the answer is not in the response: blue.',
      found: ['red', 'green', 'black'],
      expected: COLOURS,
    });
  });

  test('returns each way in which a line can be a list', () => {
    expect(listReadings('red, green and blue')).toEqual([
      ['red', 'green', 'blue'],
      ['red', 'green and blue'],
      ['red, green and blue'],
    ]);
  });

  test.each([
    ['commas', ','.repeat(99_000)],
    ['elements', 'a,'.repeat(49_000)],
    ['bullets', '- a\n'.repeat(24_000)],
    ['ands', ' and '.repeat(19_000)],
    ['brackets', '['.repeat(99_000)],
    ['spaces', `a${' '.repeat(99_000)}b`],
    ['two hundred long elements', `${'x'.repeat(480)};`.repeat(200)],
  ])('hostile text of %s ends', (_, response) => {
    const expected = Array.from({ length: 200 }, (__, index) => `${'x'.repeat(479)}${index}`);
    expect(checkAnswer({ checker: { kind: 'list' }, expected }, response).verdict).toBe('fail');
  });

  test('a response that is too long fails', () => {
    expect(checkAnswer({ checker: { kind: 'list' }, expected: ['a'] }, 'a'.repeat(100_001)).detail.reason).toBe(
      'The response is longer than 100000 characters.',
    );
  });
});

describe('a checker that holds checkers', () => {
  test('is refused when it is nested too deeply', () => {
    let checker: unknown = { kind: 'exact' };
    for (let depth = 0; depth < 6; depth++) checker = { kind: 'list', items: checker };
    expect(checkerSchema.safeParse(checker).error?.issues[0]?.message).toBe('must not be nested deeper than 6 levels');
  });

  test('compares each key by its own checker, and treats what is empty as null where that is asked for', () => {
    const checker = checkerSchema.parse({
      kind: 'json',
      subset: true,
      empty_as_null: true,
      keys: { status: { kind: 'exact' }, data: { kind: 'list', items: { kind: 'numeric' } } },
    });
    const verdict = (response: unknown, expected: unknown): string =>
      checkAnswer({ checker, expected }, JSON.stringify(response)).verdict;
    expect(verdict({ status: 'success', data: ['6'], more: 1 }, { status: 'SUCCESS', data: [6] })).toBe('pass');
    expect(verdict({ status: 'success', data: 6 }, { status: 'SUCCESS', data: [6] })).toBe('pass');
    expect(verdict({ status: 'success', data: [7] }, { status: 'SUCCESS', data: [6] })).toBe('fail');
    expect(verdict({ status: 'success', data: null }, { status: 'SUCCESS', data: [6] })).toBe('fail');
    expect(verdict({ status: 'success', data: [] }, { status: 'SUCCESS', data: null })).toBe('pass');
    expect(verdict({ status: 'success' }, { status: 'SUCCESS', data: null })).toBe('pass');
    expect(verdict({ status: 'success', data: [1] }, { status: 'SUCCESS', data: null })).toBe('fail');
  });
});
