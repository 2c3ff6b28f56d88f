/** Two variants side by side, paired by task and trial: better, worse, or not enough evidence. */

import { exactInterval } from './binomial.ts';
import { type BootstrapResult, differencesByTask, type Pair, pairedBootstrap } from './bootstrap.ts';
import { type ExactTest, mcnemarExact, signTest } from './paired-tests.ts';
import { minimumDetectableEffect, type PowerOptions, trialsNeeded } from './power.ts';
import type { Random } from './random.ts';
import type { Interval } from './wilson.ts';

export interface Comparison {
  /** B compared with A. */
  verdict: 'better' | 'worse' | 'not_enough_evidence';
  reasons: string[];
  pairs: number;
  /** Pass rate of B minus that of A. Its interval decides the verdict. */
  difference: BootstrapResult;
  mcnemar: ExactTest;
  /** Over tasks, by the mean difference of each. */
  signTest: ExactTest;
  /** The smallest difference that this many pairs could detect; null if they could detect none. */
  minimumDetectableEffect: number | null;
  /** How many more pairs would settle the observed difference; null if none was observed. */
  morePairsNeeded: number | null;
}

/**
 * Compares passes (1) and failures (0). One rule decides: the interval of the difference excludes zero, and the difference is above
 * the A/A noise floor if one is given. The interval holds both the one over tasks and the one that goes with McNemar's exact test, so
 * that a verdict never contradicts what is shown beside it.
 *
 * @example
 * const pairs = Array.from({ length: 30 }, (_, i) => ({ task: `t${i}`, a: 0, b: 1 }));
 * comparePairs(pairs, seededRandom(1)).verdict; // => 'better'
 */
export function comparePairs(
  pairs: readonly Pair[],
  random: Random,
  options: PowerOptions & { noiseFloor?: number | undefined; resamples?: number | undefined } = {},
): Comparison {
  const { alpha = 0.05, noiseFloor } = options;
  const onlyA = pairs.filter(({ a, b }) => a > b).length;
  const onlyB = pairs.filter(({ a, b }) => b > a).length;
  const byTask = differencesByTask(pairs);
  // With one task there is no spread between tasks, so its trials are the sample.
  const sample = byTask.size > 1 ? pairs : pairs.map((pair, index) => ({ ...pair, task: String(index) }));
  const overTasks = pairedBootstrap(sample, random, { confidence: 1 - alpha, resamples: options.resamples });
  const exact = exactDifference(onlyA, onlyB, pairs.length, 1 - alpha);
  const interval = overTasks.interval && {
    low: Math.min(overTasks.interval.low, exact.low),
    high: Math.max(overTasks.interval.high, exact.high),
  };
  const difference = { ...overTasks, interval };
  const estimate = difference.estimate ?? 0;
  const reasons: string[] = [];
  if (interval === null || (interval.low <= 0 && interval.high >= 0))
    reasons.push('The interval of the difference contains zero.');
  if (noiseFloor !== undefined && Math.abs(estimate) <= noiseFloor) {
    reasons.push(`The difference is within the A/A noise of ${noiseFloor.toFixed(3)}.`);
  }
  return {
    verdict: reasons.length > 0 ? 'not_enough_evidence' : estimate > 0 ? 'better' : 'worse',
    reasons,
    pairs: pairs.length,
    difference,
    mcnemar: mcnemarExact(onlyA, onlyB),
    signTest: signTest([...byTask.values()].map(mean)),
    ...planning(pairs.length, onlyA + onlyB, onlyB - onlyA, difference, options),
  };
}

/** The differences that McNemar's exact test does not reject, given how many pairs differ. */
function exactDifference(onlyA: number, onlyB: number, pairs: number, confidence: number): Interval {
  const differing = onlyA + onlyB;
  if (differing === 0) return { low: 0, high: 0 };
  const { low, high } = exactInterval(onlyB, differing, confidence);
  const differenceAt = (shareOfB: number) => ((2 * shareOfB - 1) * differing) / pairs;
  return { low: differenceAt(low), high: differenceAt(high) };
}

function planning(
  pairs: number,
  discordantPairs: number,
  surplus: number,
  { standardError }: BootstrapResult,
  options: PowerOptions,
): Pick<Comparison, 'minimumDetectableEffect' | 'morePairsNeeded'> {
  if (pairs === 0) return { minimumDetectableEffect: null, morePairsNeeded: null };
  const discordant = discordantPairs / pairs;
  const difference = surplus / pairs;
  const variance = (discordant - difference * difference) / pairs;
  // How much wider the interval is because trials of one task resemble each other.
  const designEffect = standardError === null || variance <= 0 ? 1 : Math.max(1, standardError ** 2 / variance);
  const plan = { ...options, designEffect };
  const needed = trialsNeeded({ difference, discordant }, plan);
  return {
    minimumDetectableEffect: minimumDetectableEffect({ pairs, discordant }, plan),
    morePairsNeeded: needed === null ? null : Math.max(0, needed - pairs),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
