import { expect, test } from 'vitest';
import { pace } from './pace.ts';

function fakeClock() {
  let time = 1_000;
  return {
    pass: (ms: number) => {
      time += ms;
    },
    clock: {
      now: () => time,
      sleep: async (ms: number) => {
        time += ms;
      },
    },
  };
}
const { signal } = new AbortController();

test('calls are spaced evenly, and time that went by is not made up for in a burst', async () => {
  const { clock, pass } = fakeClock();
  const turn = pace(120, clock);
  const begun: number[] = [];
  const call = async () => {
    await turn(signal);
    begun.push(clock.now());
  };
  for (let n = 0; n < 3; n += 1) await call();
  pass(10_000);
  for (let n = 0; n < 2; n += 1) await call();
  expect(begun).toEqual([1_000, 1_500, 2_000, 12_000, 12_500]);
});

test('whoever waits at the same time gets places one after the other', async () => {
  const waits: number[] = [];
  const turn = pace(60, { now: () => 0, sleep: async (ms) => void waits.push(ms) });
  await Promise.all([turn(signal), turn(signal), turn(signal)]);
  expect(waits).toEqual([1_000, 2_000]);
});

test('without a limit nobody waits', async () => {
  const turn = pace(null, { now: () => 0, sleep: () => Promise.reject(new Error('waited')) });
  await Promise.all([turn(signal), turn(signal)]);
});
