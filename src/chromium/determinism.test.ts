import { describe, expect, test } from 'vitest';
import { Determinism } from './determinism.ts';

describe('the settings', () => {
  test('all of them, and none', () => {
    const settings = {
      seed: 1,
      clock: { start: '2020-01-02T03:04:05Z', mode: 'frozen' },
      timezone: 'Europe/Paris',
      locale: 'de-DE',
      viewport: { width: 800, height: 600, deviceScaleFactor: 2 },
      reducedMotion: true,
    };
    expect(Determinism.parse(settings)).toEqual(settings);
    expect(Determinism.parse({})).toEqual({});
  });

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'must be the name of a time zone, such as "Europe/Paris"'],
    [{ locale: 'not a locale' }, 'locale', 'must be a language tag, such as "de-DE"'],
    [{ clock: { start: 'yesterday' } }, 'clock.start', 'must be a time in UTC, such as "2026-01-31T09:00:00Z"'],
    [{ seed: 0.5 }, 'seed', 'Invalid input: expected int, received number'],
    [{ viewport: { width: 1, height: 600 } }, 'viewport.width', 'Too small: expected number to be >=100'],
    [{ speed: 1 }, '', 'Unrecognized key: "speed"'],
  ])('%j is refused where it is wrong', (settings, where, message) => {
    const [issue] = Determinism.safeParse(settings).error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([where, message]);
  });
});
