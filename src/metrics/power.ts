/** The smallest detectable difference, and the number of trials that a difference needs. Normal approximations are enough for planning. */
import { refuse, requireCount, requireFraction } from './bad-input.ts';
import { normalQuantile } from './normal.ts';

export interface PowerOptions {
  /** Two-sided significance level. Default: 0.05. */
  alpha?: number | undefined;
  /** Default: 0.8. */
  power?: number | undefined;
  /** How many trials count as one because trials of a task resemble each other. Default: 1. */
  designEffect?: number | undefined;
}

/**
 * Pairs needed to detect a difference of pass rates with McNemar's test (Connor 1987), from the share of pairs in which
 * the variants differ. Null if no number of pairs suffices because the difference is zero.
 *
 * @example
 * trialsNeeded({ difference: 0.15, discordant: 0.45 }); // => 155
 */
export function trialsNeeded(
  effect: { difference: number; discordant: number },
  options: PowerOptions = {},
): number | null {
  const { difference, discordant } = effect;
  if (!(discordant >= 0 && discordant <= 1)) refuse('discordant', discordant, 'a share between 0 and 1');
  if (Math.abs(difference) > discordant)
    refuse('difference', difference, `no larger than the discordant share (${discordant})`);
  if (difference === 0) return null;
  const [za, zb] = quantiles(options);
  const root = za * Math.sqrt(discordant) + zb * Math.sqrt(discordant - difference * difference);
  return ceil((root / difference) ** 2 * designEffect(options));
}

/**
 * Trials needed in each arm if the arms are not paired (Fleiss, Levin and Paik 2003, as R's power.prop.test).
 *
 * @example
 * trialsNeededUnpaired({ baseline: 0.5, improved: 0.75 }, { power: 0.9 }); // => 77
 */
export function trialsNeededUnpaired(
  rates: { baseline: number; improved: number },
  options: PowerOptions = {},
): number | null {
  const { baseline: p, improved: q } = rates;
  if (!(p >= 0 && p <= 1)) refuse('baseline', p, 'a rate between 0 and 1');
  if (!(q >= 0 && q <= 1)) refuse('improved', q, 'a rate between 0 and 1');
  if (p === q) return null;
  const [za, zb] = quantiles(options);
  const mean = (p + q) / 2;
  const root = za * Math.sqrt(2 * mean * (1 - mean)) + zb * Math.sqrt(p * (1 - p) + q * (1 - q));
  return ceil((root / (p - q)) ** 2 * designEffect(options));
}

/**
 * The smallest difference of pass rates that this many pairs can detect. Null if they could not detect even the largest.
 *
 * @example
 * minimumDetectableEffect({ pairs: 155, discordant: 0.45 })?.toFixed(3); // => '0.150'
 */
export function minimumDetectableEffect(
  design: { pairs: number; discordant: number },
  options: PowerOptions = {},
): number | null {
  const { pairs, discordant } = design;
  requireCount('pairs', pairs);
  if (!(discordant >= 0 && discordant <= 1)) refuse('discordant', discordant, 'a share between 0 and 1');
  const [za, zb] = quantiles(options);
  const size = pairs / designEffect(options);
  const seen = (difference: number) =>
    difference * Math.sqrt(size) >= za * Math.sqrt(discordant) + zb * Math.sqrt(discordant - difference * difference);
  if (discordant === 0 || !seen(discordant)) return null;
  let low = 0;
  let high = discordant;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (seen(middle)) high = middle;
    else low = middle;
  }
  return high;
}

function quantiles({ alpha = 0.05, power = 0.8 }: PowerOptions): [number, number] {
  requireFraction('alpha', alpha);
  requireFraction('power', power);
  return [normalQuantile(1 - alpha / 2), normalQuantile(power)];
}

function designEffect({ designEffect: effect = 1 }: PowerOptions): number {
  if (!(effect >= 1 && Number.isFinite(effect))) refuse('designEffect', effect, 'a finite number of at least 1');
  return effect;
}

/** A count that exceeds a whole number only by rounding is not increased by one. */
function ceil(value: number): number {
  return Math.ceil(value - 1e-9);
}
