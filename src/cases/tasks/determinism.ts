/** What a task fixes in its pages and their workers, so that every episode sees the same: chance, time, place and motion. */
import { z } from 'zod';

export const determinismSchema = z.strictObject({
  seed: z.int().optional().describe('The seed of Math.random() in every document and worker'),
  clock: z
    .strictObject({
      start: z.iso
        .datetime({ error: 'must be a time in UTC, such as "2026-01-31T09:00:00Z"' })
        .describe('What Date says when the episode starts'),
      // A page that polls Date.now() would wait for ever with a clock that stands still.
      mode: z
        .enum(['running', 'frozen'], { error: 'must be "running" or "frozen"' })
        .optional()
        .describe('Default: running, in real time from the start'),
    })
    .optional(),
  // It is checked here, because the browser would refuse it only after the episode has started.
  timezone: z
    .string()
    .refine(isTimeZone, 'must be the name of a time zone, such as "Europe/Paris"')
    .optional()
    .describe('The name of a time zone, such as "Europe/Paris"'),
  locale: z
    .string()
    .refine(isLocale, 'must be a language tag, such as "de-DE"')
    .optional()
    .describe('A language tag, such as "de-DE": formats, navigator.language and the Accept-Language header'),
  reducedMotion: z.boolean().optional().describe('prefers-reduced-motion'),
});

function isTimeZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    // Intl throws a RangeError for a time zone that it does not know.
    return false;
  }
}

function isLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    // Intl throws a RangeError for what is not a language tag.
    return false;
  }
}
