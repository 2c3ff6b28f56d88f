import { describe, expect, test } from 'vitest';
import type { LoadedTask } from '../../cases/index.ts';
import { chooseTasks, type TaskSelection } from './choose-tasks.ts';
import { matchesName } from './match-name.ts';
import { mergeShards, parseShard } from './shard.ts';

const loaded = (id: string): LoadedTask => ({
  task: {
    id,
    title: id,
    startUrl: 'http://a.test/',
    goal: 'Look.',
    success: { kind: 'no_dialog' },
    maxSteps: 1,
    maxDurationMs: 1,
  },
  source: `${id}.json`,
  folder: '.',
});
const IDS = ['shop-order', 'shop-filter', 'wiki-river', 'wiki-founder', 'rail-compare', 'desk'];
const ids = (selection: TaskSelection, of: readonly string[] = IDS): string[] =>
  chooseTasks(of.map(loaded), selection).run.map(({ task }) => task.id);

test.each([
  ['shop-order', 'order', true],
  ['shop-order', 'ORDER', true],
  ['shop-order', 'shop-*', true],
  ['shop-order', '*-order', true],
  ['shop-order', 'order*', false],
  ['shop-order', 's*p*d*r', true],
  ['shop-order', 's*p*d*r*x', false],
  ['aba', 'ab*ba', false],
  ['abba', 'ab*ba', true],
  ['desk', '*', true],
  ['a.b', 'a?b', false],
])('%s and the filter %s: %s', (name, pattern, fits) => {
  expect(matchesName(name, pattern)).toBe(fits);
});

test('a filter of many stars takes no long time on a long name', () => {
  expect(matchesName('a'.repeat(100_000), `${'a*'.repeat(10_000)}b`)).toBe(false);
});

test('filters, failures of an earlier run, and limits narrow each other', () => {
  expect(ids({ filter: ['shop', 'wiki-*r'] })).toEqual(['shop-order', 'shop-filter', 'wiki-river', 'wiki-founder']);
  expect(ids({ filter: ['shop', 'wiki'], limit: 3 })).toEqual(['shop-order', 'shop-filter', 'wiki-river']);
  expect(ids({ lastFailed: ['desk', 'gone', 'shop-filter'] })).toEqual(['shop-filter', 'desk']);
  expect(() => ids({ filter: ['nothing'] })).toThrow('No task fits all that was asked for.');
  expect(() => ids({ lastFailed: [] })).toThrow('None of these tasks failed in the last run. Nothing was run.');
});

describe('a sample', () => {
  test('is the same for the same seed, in whatever order, and another for another', () => {
    const drawn = ids({ sample: 3, seed: 7 });
    expect(drawn).toHaveLength(3);
    expect(ids({ sample: 3, seed: 7 }, IDS.toReversed()).sort()).toEqual(drawn.toSorted());
    expect(new Set([1, 2, 3, 4, 5, 6, 8].map((seed) => ids({ sample: 3, seed }).join())).size).toBeGreaterThan(2);
  });

  test('of more than there are is all, and a larger one holds the smaller', () => {
    expect(ids({ sample: 100 })).toEqual(IDS);
    expect(ids({ sample: 4, seed: 3 })).toEqual(expect.arrayContaining(ids({ sample: 2, seed: 3 })));
  });
});

describe('shards', () => {
  test('together are everything, each task once, and merge into the order that it was', () => {
    const parts = [1, 2, 3, 4].map((index) => ids({ shard: { index, of: 4 } }));
    expect(parts).toEqual([['shop-order', 'rail-compare'], ['shop-filter', 'desk'], ['wiki-river'], ['wiki-founder']]);
    expect(mergeShards(parts)).toEqual(IDS);
  });

  test('are taken after all other choices', () => {
    expect(ids({ limit: 4, shard: { index: 2, of: 2 } })).toEqual(['shop-filter', 'wiki-founder']);
  });

  test('without a task are refused', () => {
    expect(() => ids({ shard: { index: 7, of: 7 } })).toThrow('The shard 7/7 has no task: there are 6 in all.');
  });

  test.each(['0/3', '4/3', '1', '1/', 'a/b', '-1/3', '1/0', '1.5/2', '1/2/3', ' 1/2', '1/99999'])(
    '%s is no shard',
    (given) => {
      expect(() => parseShard(given)).toThrow(
        `--shard takes i/n, such as 1/4, with i from 1 to n, but got "${given}".`,
      );
    },
  );
});
