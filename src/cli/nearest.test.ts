import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['docter', 'doctor'],
  ['esrve', 'serve'],
  ['DOCTOR', 'doctor'],
  ['doctors', 'doctor'],
  ['serv', 'serve'],
])('%s suggests %s', (typed, meant) => {
  expect(nearest(typed, ['serve', 'doctor'])).toBe(meant);
});

test('a word without a similar candidate has no suggestion', () => {
  expect(nearest('run', ['serve', 'doctor'])).toBeUndefined();
  expect(nearest('', ['serve', 'doctor'])).toBeUndefined();
});

test('the nearest of several candidates is suggested', () => {
  expect(nearest('tracee', ['trade', 'trace'])).toBe('trace');
});
