import { describe, expect, test } from 'vitest';
import { cronProblem, timesAfter } from './cron.ts';

const next = (cron: string, timezone: string, after: string, count = 3) =>
  timesAfter({ cron, timezone }, new Date(after), count).map((time) => time.toISOString());

test('times are those of the zone, and strictly after', () => {
  expect(next('0 3 * * 1-5', 'Europe/Berlin', '2026-01-02T02:00:00Z', 2)).toEqual([
    '2026-01-05T02:00:00.000Z',
    '2026-01-06T02:00:00.000Z',
  ]);
  expect(next('*/20 * * * *', 'UTC', '2026-01-02T02:00:01Z')).toEqual([
    '2026-01-02T02:20:00.000Z',
    '2026-01-02T02:40:00.000Z',
    '2026-01-02T03:00:00.000Z',
  ]);
});

describe('where clocks change', () => {
  test('an hour that is left out: later that day, once', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });
  test('an hour that comes twice: once', () => {
    expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
  });
});

test.each([
  ['0 3 * *', 'UTC', 'a cron expression has five fields: minute, hour, day of the month, month, day of the week'],
  ['0 0 3 * * *', 'UTC', 'a cron expression has five fields: minute, hour, day of the month, month, day of the week'],
  ['', 'UTC', 'a cron expression has five fields: minute, hour, day of the month, month, day of the week'],
  ['@daily', 'UTC', 'a cron expression has five fields: minute, hour, day of the month, month, day of the week'],
  ['61 * * * *', 'UTC', 'constraint error, got value 61 expected range 0-59'],
  ['0 0 30 2 *', 'UTC', 'it names days that never come'],
  ['0 0 31 4,6 *', 'UTC', 'it names days that never come'],
  ['H 3 * * *', 'UTC', 'hashed values (H) are not understood, write numbers'],
  ['0 3 * * *', 'Nowhere/City', 'there is no time zone Nowhere/City'],
])('%j in %s is refused with the reason', (cron, timezone, why) => {
  expect(cronProblem({ cron, timezone }, new Date('2026-03-01T00:00:00Z'))).toBe(`"${cron}" can't be used: ${why}.`);
});

test('what is right has no problem', () => {
  for (const cron of ['0 3 * * *', '*/5 9-17 * * MON-FRI', '0 0 29 2 *', '15 10 L * *', ' 0  3 * * * ']) {
    expect(cronProblem({ cron, timezone: 'America/New_York' }, new Date('2026-03-01T00:00:00Z'))).toBeUndefined();
  }
});
