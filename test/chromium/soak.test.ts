import { expect, test } from 'vitest';
import { soak } from '../../bench/soak-contexts.ts';

test('12 contexts, each dirtied in every kind of the proof: the next one is clean, and nothing is left in the end', async () => {
  const result = await soak({ contexts: 12, slots: 3 });
  expect(result.leaks).toEqual([]);
  expect(result.contexts).toBe(12);
  // If a kind were not dirtied, its cleanness would prove nothing.
  const kinds = [
    'cookies',
    'local storage',
    'session storage',
    'IndexedDB',
    'cache storage',
    'service workers',
    'tabs',
    'window.name',
    'permissions',
    'clipboard',
  ];
  expect(kinds.filter((kind) => result.dirtied[kind] !== 12)).toEqual([]);
  expect([result.processesLeft, result.profilesLeft]).toEqual([0, 0]);
});
