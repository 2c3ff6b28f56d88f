import { describe, expect, test } from 'vitest';
import { Determinism } from './determinism.ts';

describe('the settings', () => {
  test('all of them, and the defaults inside', () => {
    const clock = { start: '2020-01-02T03:04:05Z' };
    const viewport = { width: 800, height: 600 };
    expect(
      Determinism.parse({ seed: 1, clock, timezone: 'Europe/Paris', locale: 'de-DE', viewport, reducedMotion: true }),
    ).toEqual({
      seed: 1,
      clock: { ...clock, mode: 'running' },
      timezone: 'Europe/Paris',
      locale: 'de-DE',
      viewport: { ...viewport, deviceScaleFactor: 1 },
      reducedMotion: true,
    });
    expect(Determinism.parse({})).toEqual({});
  });

  test.each([
    [{ timezone: 'Mars/Olympus' }, 'timezone', 'There is no such time zone'],
    [{ locale: 'not a locale' }, 'locale', 'There is no such locale'],
    [{ clock: { start: 'yesterday' } }, 'clock.start', 'Invalid ISO datetime'],
    [{ seed: 0.5 }, 'seed', 'Invalid input: expected int, received number'],
    [{ viewport: { width: 1, height: 600 } }, 'viewport.width', 'Too small: expected number to be >=100'],
    [{ speed: 1 }, '', 'Unrecognized key: "speed"'],
  ])('%j is refused where it is wrong', (settings, where, message) => {
    const [issue] = Determinism.safeParse(settings).error?.issues ?? [];
    expect([issue?.path.join('.'), issue?.message]).toEqual([where, message]);
  });
});
