import { expect, test } from 'vitest';
import { lettersOf, parseRef } from './letters.ts';

test('letters go on after z, and never repeat', () => {
  expect([0, 1, 25, 26, 27, 701, 702].map(lettersOf)).toEqual(['a', 'b', 'z', 'aa', 'ab', 'zz', 'aaa']);
  expect(new Set(Array.from({ length: 2_000 }, (_, n) => lettersOf(n))).size).toBe(2_000);
});

test('refs are read as they are shown, too', () => {
  expect(parseRef('ab12')).toEqual({ letters: 'ab', number: 12 });
  expect(parseRef('[c3]')).toEqual({ letters: 'c', number: 3 });
  for (const wrong of ['12', 'ab', '', 'A1', 'a1 b2', 'a-1']) expect(parseRef(wrong)).toBeUndefined();
});
