/** The lower tail of the binomial distribution, and the exact interval of a share (Clopper and Pearson 1934). */
import type { Interval } from './wilson.ts';

/** The chance of at most k successes in n trials. In logarithms, because 2⁻ⁿ is zero from n = 1075 on. */
export function binomialTail(k: number, n: number, share: number): number {
  if (share === 0 || k >= n) return 1;
  if (share === 1) return 0;
  const logOdds = Math.log(share) - Math.log1p(-share);
  let logTerm = n * Math.log1p(-share);
  let tail = 0;
  for (let i = 0; i <= k; i++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log((n - i) / (i + 1)) + logOdds;
  }
  return tail;
}

/** The shares that a two-sided exact test does not reject. Without trials nothing is known. */
export function exactInterval(successes: number, trials: number, confidence: number): Interval {
  const alpha = 1 - confidence;
  return {
    low: 1 - highest(trials - successes, trials, alpha / 2),
    high: highest(successes, trials, alpha / 2),
  };
}

/** Halving an interval so often reaches the precision of a double. */
const HALVINGS = 54;

/** The share at which so few successes, or fewer, have this chance. */
function highest(successes: number, trials: number, chance: number): number {
  if (successes >= trials) return 1;
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (binomialTail(successes, trials, middle) > chance) low = middle;
    else high = middle;
  }
  return high;
}
