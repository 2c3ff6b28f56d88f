import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['docter', 'doctor'],
  ['esrve', 'serve'],
  ['DOCTOR', 'doctor'],
  ['doctors', 'doctor'],
  ['serv', 'serve'],
])('%s could have been %s', (typed, meant) => {
  expect(nearest(typed, ['serve', 'doctor'])).toBe(meant);
});

test('what is far from everything has no suggestion', () => {
  expect(nearest('run', ['serve', 'doctor'])).toBeUndefined();
  expect(nearest('', ['serve', 'doctor'])).toBeUndefined();
});

test('of several the nearest is taken', () => {
  expect(nearest('tracee', ['trade', 'trace'])).toBe('trace');
});
