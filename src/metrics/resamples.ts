/** Resamples for an interval, bounded by the draws for all of them: many thousand pairs need fewer resamples to say the same. */
const RESAMPLES = { least: 500, most: 2000 };
const MOST_DRAWS = 5_000_000;

/**
 * @example
 * [resamplesFor(100), resamplesFor(5_000), resamplesFor(1_000_000)]; // => [2000, 1000, 500]
 */
export function resamplesFor(size: number): number {
  return Math.min(RESAMPLES.most, Math.max(RESAMPLES.least, Math.floor(MOST_DRAWS / Math.max(1, size))));
}
