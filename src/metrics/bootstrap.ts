/**
 * Bootstrap over clusters: trials of one task resemble each other, so whole tasks are drawn, not single trials.
 * Percentile intervals. With few tasks (fewer than about 20) they are too narrow; one task has no interval at all.
 */
import { requireCount, requireFraction } from './bad-input.ts';
import { percentileOfSorted } from './percentile.ts';
import { drawIndex, type Random } from './random.ts';

export interface BootstrapOptions {
  /** Default: 2000. */
  resamples?: number | undefined;
  /** Default: 0.95. */
  confidence?: number | undefined;
}

export interface BootstrapResult {
  /** Mean over all trials; null if there are none. */
  estimate: number | null;
  /** Null with fewer than two clusters. */
  interval: { low: number; high: number } | null;
  standardError: number | null;
  clusters: number;
}

/**
 * Mean of the values, with an interval that respects the clusters: one list of values per task.
 *
 * @example
 * const result = clusteredBootstrap([[1, 1, 0], [0, 0], [1, 1]], seededRandom(1));
 * result.clusters; // => 3
 */
export function clusteredBootstrap(
  clusters: readonly (readonly number[])[],
  random: Random,
  options: BootstrapOptions = {},
): BootstrapResult {
  const { resamples = 2000, confidence = 0.95 } = options;
  requireCount('resamples', resamples, 1);
  requireFraction('confidence', confidence);
  const filled = clusters.filter((cluster) => cluster.length > 0);
  const sums = Float64Array.from(filled, (cluster) => cluster.reduce((sum, value) => sum + value, 0));
  const sizes = Float64Array.from(filled, (cluster) => cluster.length);
  const count = filled.length;
  if (count === 0) return { estimate: null, interval: null, standardError: null, clusters: 0 };
  const estimate = total(sums) / total(sizes);
  if (count === 1) return { estimate, interval: null, standardError: null, clusters: 1 };
  const means = new Float64Array(resamples);
  for (let round = 0; round < resamples; round++) {
    let sum = 0;
    let size = 0;
    for (let draw = 0; draw < count; draw++) {
      const at = drawIndex(random, count);
      sum += sums[at] ?? 0;
      size += sizes[at] ?? 0;
    }
    means[round] = sum / size;
  }
  means.sort();
  const tail = (100 * (1 - confidence)) / 2;
  const low = percentileOfSorted(means, tail) ?? estimate;
  const high = percentileOfSorted(means, 100 - tail) ?? estimate;
  return { estimate, interval: { low, high }, standardError: deviation(means), clusters: count };
}

/** One task and trial, attempted by both variants. */
export interface Pair {
  task: string;
  /** 1 for a pass, 0 for a failure; or any number, such as steps. */
  a: number;
  b: number;
}

/** Mean of b − a over pairs, tasks as clusters. */
export function pairedBootstrap(
  pairs: readonly Pair[],
  random: Random,
  options: BootstrapOptions = {},
): BootstrapResult {
  return clusteredBootstrap([...differencesByTask(pairs).values()], random, options);
}

export function differencesByTask(pairs: readonly Pair[]): Map<string, number[]> {
  const byTask = new Map<string, number[]>();
  for (const { task, a, b } of pairs) {
    const differences = byTask.get(task);
    if (differences === undefined) byTask.set(task, [b - a]);
    else differences.push(b - a);
  }
  return byTask;
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function deviation(values: Float64Array): number {
  const mean = total(values) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length - 1));
}
