import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';

test('lists what was added, changed and removed, by path', () => {
  const before = { cart: { lamp: 1, mug: 2 }, orders: { a: { status: 'placed' } } };
  const after = { cart: { lamp: 3, clock: 1 }, orders: { a: { status: 'placed' } } };
  expect(changesOf(before, after)).toEqual([
    { path: 'cart.clock', was: null, is: 1 },
    { path: 'cart.lamp', was: 1, is: 3 },
    { path: 'cart.mug', was: 2, is: null },
  ]);
});

test('the order in which fields were set does not count, that of lists does', () => {
  expect(changesOf({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  expect(changesOf({ labels: ['x', 'y'] }, { labels: ['y', 'x'] })).toEqual([
    { path: 'labels', was: ['x', 'y'], is: ['y', 'x'] },
  ]);
});
