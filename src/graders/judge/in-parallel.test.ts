import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('works on a few at once, and keeps the order', async () => {
  let open = 0;
  let most = 0;
  const results = await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    most = Math.max(most, ++open);
    await Promise.resolve();
    open--;
    return item * 10;
  });
  expect([results, most]).toEqual([[10, 20, 30, 40, 50], 2]);
});

test('after a failure begins nothing more, and awaits what was begun', async () => {
  const ended: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = inParallel([1, 2, 3], 2, async (item) => {
    if (item === 1) throw new Error('the first failed');
    await promise;
    ended.push(item);
  });
  resolve();
  await expect(work).rejects.toThrow('the first failed');
  expect(ended).toEqual([2]);
});
