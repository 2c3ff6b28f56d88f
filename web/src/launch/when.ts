/** Times to come, in words and exactly. */
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "in 5 hours", "tomorrow", "in 1 minute"; whatever is nearer than that is "now". */
export function inWords(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(ms) >= length) ?? ['minute', 60_000];
  return Math.abs(ms) < 60_000 ? (ms > 0 ? 'in less than a minute' : 'now') : WORDS.format(Math.round(ms / size), unit);
}

/** With the zone that the schedule is written in. */
export function exactly(iso: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat(undefined, {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  });
  return format.format(new Date(iso));
}

export function timeZones(): string[] {
  return [...new Set(['UTC', here(), ...Intl.supportedValuesOf('timeZone')])];
}

export function here(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
