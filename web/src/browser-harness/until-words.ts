const MINUTE = 60_000;
const UNITS = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

/** "6 days and 23 hours", "1 hour and 5 minutes", "less than a minute". */
export function untilWords(ms: number): string {
  const first = UNITS.findIndex(([, size]) => ms >= size);
  if (first < 0) return 'less than a minute';
  let rest = ms;
  return UNITS.slice(first, first + 2)
    .flatMap(([name, size]) => {
      const n = Math.floor(rest / size);
      rest -= n * size;
      return n === 0 ? [] : [`${n} ${name}${n === 1 ? '' : 's'}`];
    })
    .join(' and ');
}
