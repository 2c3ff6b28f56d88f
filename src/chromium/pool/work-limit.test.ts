import { expect, test } from 'vitest';
import { WorkLimit } from './work-limit.ts';

test('runs no more works at once than allowed, in order, and goes on after one that fails', async () => {
  const limit = new WorkLimit(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 4 }, () => Promise.withResolvers<number>());
  const runs = ends.map(({ promise }, n) =>
    limit.run(() => {
      begun.push(n);
      return promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('it failed'));
  await expect(runs[1]).rejects.toThrow('it failed');
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, end] of ends.entries()) end.resolve(n);
  expect(await Promise.all([runs[0], runs[2], runs[3]])).toEqual([0, 2, 3]);
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await limit.run(async () => 'free again')).toBe('free again');
});
