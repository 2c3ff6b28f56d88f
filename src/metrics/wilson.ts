/** Wilson's score interval for a proportion (Wilson 1927). It is accurate at 0, at 1 and for few trials, where ±1.96 s.e. is not. */
import { refuse, requireCount, requireFraction } from './bad-input.ts';
import { normalQuantile } from './normal.ts';

export interface Interval {
  low: number;
  high: number;
}

/**
 * @example
 * const { low, high } = wilsonInterval(0, 20);
 * [low, high.toFixed(4)]; // => [0, '0.1611']
 */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): Interval {
  requireCount('trials', trials);
  requireCount('successes', successes);
  requireFraction('confidence', confidence);
  if (successes > trials) refuse('successes', successes, `at most the number of trials (${trials})`);
  // Without trials nothing is known.
  if (trials === 0) return { low: 0, high: 1 };
  const z = normalQuantile(0.5 + confidence / 2);
  const p = successes / trials;
  const scale = 1 + (z * z) / trials;
  const centre = p + (z * z) / (2 * trials);
  const reach = z * Math.sqrt((p * (1 - p)) / trials + (z * z) / (4 * trials * trials));
  // At the ends the formula gives 0 and 1 except for rounding errors.
  return {
    low: successes === 0 ? 0 : (centre - reach) / scale,
    high: successes === trials ? 1 : (centre + reach) / scale,
  };
}
