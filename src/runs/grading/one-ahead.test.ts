import { expect, test } from 'vitest';
import { oneAhead } from './one-ahead.ts';

async function* counted(made: number[], failsAt = Number.POSITIVE_INFINITY) {
  try {
    for (let number = 1; number <= 3; number++) {
      if (number === failsAt) throw new Error(`no ${number}`);
      made.push(number);
      yield number;
    }
  } finally {
    made.push(0);
  }
}

test('the next value is made while the reader has one', async () => {
  const made: number[] = [];
  const seen: [number, number[]][] = [];
  for await (const number of oneAhead(counted(made))) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push([number, [...made]]);
  }
  expect(seen).toEqual([
    [1, [1, 2]],
    [2, [1, 2, 3]],
    [3, [1, 2, 3, 0]],
  ]);
});

test('a failure comes in its turn, after the values before it', async () => {
  const read: number[] = [];
  await expect(async () => {
    for await (const number of oneAhead(counted([], 3))) {
      await new Promise((resolve) => setImmediate(resolve));
      read.push(number);
    }
  }).rejects.toThrow('no 3');
  expect(read).toEqual([1, 2]);
});

test('a reader that leaves ends the source', async () => {
  const made: number[] = [];
  for await (const _ of oneAhead(counted(made))) break;
  expect(made.at(-1)).toBe(0);
});
