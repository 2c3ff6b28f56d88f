import { expect, test } from 'vitest';
import type { Claim } from '../run-store.ts';
import { claimsAhead } from './claims-ahead.ts';

const claimOf = (trial: number): Claim => ({ attempt: { runId: 'r', caseId: 'c', trial, attempt: 1 }, lease: 1 });

function source(count: number, { isSoon = true } = {}) {
  const state = { claimed: [1], givenBack: [] as number[], isOver: false };
  const claims = claimsAhead({
    first: claimOf(1),
    claim: async () => {
      const trial = state.claimed.length + 1;
      if (trial > count) return undefined;
      state.claimed.push(trial);
      return claimOf(trial);
    },
    giveBack: async ({ attempt }) => void state.givenBack.push(attempt.trial),
    isOver: () => state.isOver,
    isSoon: () => isSoon,
  });
  const take = async () => (await claims.next()).value?.attempt.trial;
  return { state, claims, take };
}

test('while a short attempt runs, the next one is claimed, and no more than that', async () => {
  const { state, take } = source(4);
  expect(await take()).toBe(1);
  expect(state.claimed).toEqual([1, 2]);
  expect(await take()).toBe(2);
  expect(state.claimed).toEqual([1, 2, 3]);
});

test('while a long one runs, nothing is claimed ahead', async () => {
  const { state, take } = source(4, { isSoon: false });
  expect(await take()).toBe(1);
  expect(state.claimed).toEqual([1]);
  expect(await take()).toBe(2);
});

test('each is given out once, and then no more', async () => {
  const { state, claims } = source(5);
  const taken = await Array.fromAsync(claims, ({ attempt }) => attempt.trial);
  expect([taken, state.givenBack]).toEqual([[1, 2, 3, 4, 5], []]);
});

test.each([
  [
    'drains',
    (state: { isOver: boolean }, take: () => Promise<unknown>) => {
      state.isOver = true;
      return take();
    },
  ],
  [
    'is left by its reader',
    (_: unknown, __: unknown, claims: AsyncGenerator<Claim, void, undefined>) => claims.return(),
  ],
])('what was claimed ahead goes back when it %s', async (_, end) => {
  const { state, take, claims } = source(4);
  await take();
  await end(state, take, claims);
  expect(state.givenBack).toEqual([2]);
});

test('what was claimed before the worker drains, and not taken, goes back', async () => {
  const { state, take } = source(4);
  state.isOver = true;
  expect(await take()).toBeUndefined();
  expect(state.givenBack).toEqual([1]);
});
