/** A/A noise: the difference that two runs of the same variant show by chance. A smaller one between A and B is not evidence. */
import { requireCount, requireFraction } from './bad-input.ts';
import { percentile } from './percentile.ts';
import { drawIndex, type Random } from './random.ts';

export interface NoiseFloor {
  /** Smaller differences of the mean are chance, at the given confidence. Null if no task has two trials. */
  floor: number | null;
  /** Tasks with at least two trials; the others cannot contribute. */
  tasks: number;
}

/**
 * Splits each task's trials of one variant into two random halves, many times, and takes the difference of the halves' means,
 * scaled to arms of the full size, as a comparison has them.
 *
 * @example
 * aaNoiseFloor([[1, 1, 1, 1], [0, 0]], seededRandom(1)); // => { floor: 0, tasks: 2 }
 */
export function aaNoiseFloor(
  trialsByTask: readonly (readonly number[])[],
  random: Random,
  options: { resamples?: number | undefined; confidence?: number | undefined } = {},
): NoiseFloor {
  const { resamples = 2000, confidence = 0.95 } = options;
  requireCount('resamples', resamples, 1);
  requireFraction('confidence', confidence);
  const tasks = trialsByTask.filter((trials) => trials.length >= 2).map((trials) => [...trials]);
  if (tasks.length === 0) return { floor: null, tasks: 0 };
  const differences: number[] = [];
  for (let round = 0; round < resamples; round++) {
    let sum = 0;
    let size = 0;
    let whole = 0;
    for (const trials of tasks) {
      const half = Math.floor(trials.length / 2);
      shuffle(trials, random);
      for (let at = 0; at < half; at++) sum += (trials[at] ?? 0) - (trials[half + at] ?? 0);
      size += half;
      whole += trials.length;
    }
    // Arms of half the size are noisier by the square root of the ratio.
    differences.push(Math.abs(sum / size) * Math.sqrt(size / whole));
  }
  return { floor: percentile(differences, 100 * confidence), tasks: tasks.length };
}

/** Fisher–Yates. */
function shuffle(values: number[], random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const at = drawIndex(random, last + 1);
    const moved = values[last] ?? 0;
    values[last] = values[at] ?? 0;
    values[at] = moved;
  }
}
