import { expect, test } from 'vitest';
import { givingWay } from './give-way.ts';

test('a long loop lets a timer have its turn again and again, and a short one does not wait', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const giveWay = givingWay();
  for (let round = 0; round < 3; round++) {
    const until = performance.now() + 30;
    while (performance.now() < until);
    await giveWay();
  }
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(2);

  let isLater = false;
  setImmediate(() => {
    isLater = true;
  });
  const quick = givingWay();
  for (let round = 0; round < 10; round++) await quick();
  expect(isLater).toBe(false);
});
