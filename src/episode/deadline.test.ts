import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('ends after its time, counted only while it runs', () => {
  const onEnd = vi.fn();
  const deadline = new Deadline(100, onEnd, Date.now);
  deadline.run();
  vi.advanceTimersByTime(60);
  deadline.pause();
  vi.advanceTimersByTime(1_000);
  expect(deadline.usedMs).toBe(60);
  deadline.run();
  // A second start while it runs changes nothing.
  deadline.run();
  vi.advanceTimersByTime(39);
  expect(onEnd).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onEnd).toHaveBeenCalledTimes(1);
  expect(deadline.usedMs).toBe(100);
});

test('once stopped, it never ends and is not started again', () => {
  const onEnd = vi.fn();
  const deadline = new Deadline(100, onEnd, Date.now);
  deadline.run();
  deadline.stop();
  deadline.run();
  vi.advanceTimersByTime(1_000);
  expect(onEnd).not.toHaveBeenCalled();
});
