import { expect, test } from 'vitest';
import { AttemptClock } from './attempt-clock.ts';
import { Deadline } from './deadline.ts';

test('looks of the harness cost the agent no time, however long they take', async () => {
  let now = 0;
  const deadline = new Deadline(
    1_000_000,
    () => {},
    () => now,
  );
  const clock = new AttemptClock(deadline, () => 1);
  deadline.run();
  now += 10;
  await clock.whileWaiting('main', async () => {
    now += 5_000;
  });
  now += 20;
  expect(deadline.usedMs).toBe(30);
  deadline.stop();
});

test('a look at one lane costs time while another lane’s agent can act', async () => {
  let now = 0;
  const deadline = new Deadline(
    1_000_000,
    () => {},
    () => now,
  );
  const clock = new AttemptClock(deadline, () => 2);
  deadline.run();
  await clock.whileWaiting('main', async () => {
    now += 100;
    await clock.whileWaiting('other', async () => {
      now += 5_000;
    });
  });
  expect(deadline.usedMs).toBe(100);
  deadline.stop();
});
