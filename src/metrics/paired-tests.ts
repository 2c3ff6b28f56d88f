/** Exact tests for pairs: two-sided, by the binomial distribution, without a normal approximation. */
import { requireCount } from './bad-input.ts';
import { binomialTail } from './binomial.ts';

export interface ExactTest {
  /** Two-sided. */
  pValue: number;
  /** Pairs that decide: those in which the variants differ. */
  informative: number;
}

/**
 * McNemar's exact conditional test, from the pairs that only A passed and the pairs that only B passed.
 *
 * @example
 * mcnemarExact(1, 7); // => { pValue: 0.0703125, informative: 8 }
 */
export function mcnemarExact(onlyA: number, onlyB: number): ExactTest {
  requireCount('onlyA', onlyA);
  requireCount('onlyB', onlyB);
  return { pValue: twoSided(Math.min(onlyA, onlyB), onlyA + onlyB), informative: onlyA + onlyB };
}

/**
 * The sign test: whether differences are as often above zero as below. Ties are left out.
 *
 * @example
 * signTest([1, 1, 1, 1, 1, 1, 1, 1, -1, -1]).pValue; // => 0.109375
 */
export function signTest(differences: readonly number[]): ExactTest {
  const above = differences.filter((difference) => difference > 0).length;
  const below = differences.filter((difference) => difference < 0).length;
  return mcnemarExact(above, below);
}

/** Twice the tail up to k of n fair coin tosses. */
function twoSided(k: number, n: number): number {
  const rounded = Number((2 * binomialTail(k, n, 0.5)).toPrecision(14));
  return Math.min(1, rounded);
}
