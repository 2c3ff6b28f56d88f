import { expect, test } from 'vitest';
import { isUuid, newRunId } from './run-id.ts';

test('is a UUIDv7 that begins with the time', () => {
  const now = new Date('2026-11-16T06:30:00.123Z');
  const id = newRunId(now);
  expect(isUuid(id)).toBe(true);
  expect(id).toMatch(/^.{14}7.{4}[89ab]/);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(now.getTime());
  expect(newRunId(now)).not.toBe(id);
});

test('later ids sort behind earlier ones', () => {
  const ids = [1, 2, 256, 65_536].map((ms) => newRunId(new Date(1_700_000_000_000 + ms)));
  expect(ids.toSorted()).toEqual(ids);
});
