import { expect, test } from 'vitest';
import { storableJson } from './storable-text.ts';

test('a JSON value has no text that a database refuses, at any depth', () => {
  const value = { 'a\0': ['x\0y', { half: '\ud83d', whole: '😀' }], n: 1, yes: true, none: null };
  expect(storableJson(value)).toEqual({
    'a\uFFFD': ['x\uFFFDy', { half: '\uFFFD', whole: '😀' }],
    n: 1,
    yes: true,
    none: null,
  });
});
