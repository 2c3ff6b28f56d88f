/** Unbiased pass@k and pass^k from n trials of which c passed: k of the n are drawn without replacement. */
import { refuse, requireCount } from './bad-input.ts';

/**
 * The chance that at least one of k trials passes: 1 − C(n−c, k) / C(n, k) (Chen et al. 2021, arXiv:2107.03374).
 * Null if there are fewer than k trials.
 *
 * @example
 * passAtK(5, 2, 1); // => 0.4
 */
export function passAtK(trials: number, passed: number, k: number): number | null {
  check(trials, passed, k);
  return k > trials ? null : 1 - shareOfDraws(trials - passed, trials, k);
}

/**
 * The chance that all of k trials pass: C(c, k) / C(n, k) (Yao et al. 2024, arXiv:2406.12045).
 * Null if there are fewer than k trials.
 *
 * @example
 * passHatK(4, 3, 2); // => 0.5
 */
export function passHatK(trials: number, passed: number, k: number): number | null {
  check(trials, passed, k);
  return k > trials ? null : shareOfDraws(passed, trials, k);
}

/** C(some, k) / C(all, k) as a product, because the binomials themselves overflow. */
function shareOfDraws(some: number, all: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, some - drawn) / (all - drawn);
  return share;
}

function check(trials: number, passed: number, k: number): void {
  requireCount('trials', trials);
  requireCount('passed', passed);
  requireCount('k', k, 1);
  if (passed > trials) refuse('passed', passed, `at most the number of trials (${trials})`);
}
