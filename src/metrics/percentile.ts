/** Percentiles by linear interpolation: type 7 of Hyndman and Fan (1996), as R and NumPy do by default. */
import { refuse } from './bad-input.ts';

/**
 * Null for an empty list. The list need not be sorted, and is not changed.
 *
 * @example
 * percentile([1, 2, 3, 4], 50); // => 2.5
 */
export function percentile(values: readonly number[], percent: number): number | null {
  if (!(percent >= 0 && percent <= 100)) refuse('percent', percent, 'between 0 and 100');
  return percentileOfSorted(
    [...values].sort((a, b) => a - b),
    percent,
  );
}

export function percentileOfSorted(sorted: ArrayLike<number>, percent: number): number | null {
  const position = ((sorted.length - 1) * percent) / 100;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
