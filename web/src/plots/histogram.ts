/** Values in equal bins with round bounds. */
export interface Bin {
  from: number;
  to: number;
  count: number;
}

const MOST_BINS = 16;

/** @example binsOf([1, 2, 2, 9], 4).map(({ count }) => count); // => [1, 2, 0, 0, 1] */
export function binsOf(values: readonly number[], wanted = MOST_BINS): Bin[] {
  if (values.length === 0) return [];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = roundStep((high - low) / wanted || high / wanted || 1);
  const start = Math.floor(low / step) * step;
  const bins: Bin[] = [];
  for (let from = start; from <= high; from += step) bins.push({ from, to: from + step, count: 0 });
  for (const value of values) {
    const bin = bins[Math.floor((value - start) / step)];
    if (bin) bin.count += 1;
  }
  return bins;
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return (([1, 2, 5].find((factor) => factor * power >= step) ?? 10) as number) * power;
}

/** The value that this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? null;
}
