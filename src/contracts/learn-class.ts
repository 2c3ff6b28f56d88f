/** Recommends the distance that a `screenshot_class` should allow, from the hashes of example pictures. */
import { WaymarkError } from '../errors/index.ts';
import { hammingDistance } from './perceptual-hash.ts';

export interface LearntClass {
  /** Recommended `distance_max`. */
  distance_max: number;
  /** The largest distance from a picture of the class to the nearest other one in it; null with a single picture. */
  spread: number | null;
  /** The smallest distance from a picture outside the class to one inside; null without such pictures. */
  nearest_negative: number | null;
  /** Whether one distance separates all pictures of the class from the others. */
  separable: boolean;
  /** Why this distance is recommended. */
  reason: string;
}

// Hashes of unrelated pictures differ in 32 of 64 bits, give or take 4: a distance of 16 or less is hardly ever chance.
const FAR = 16;
const MARGIN = 4;
const SINGLE = 6;

/**
 * @example
 * learnClass(['ffffffffffffffff', 'fffffffffffffff0'], ['0000000000000000']).distance_max; // 31
 */
export function learnClass(positives: readonly string[], negatives: readonly string[] = []): LearntClass {
  if (positives.length === 0) {
    throw new WaymarkError({
      code: 'class_without_pictures',
      message: 'A class of pictures needs at least one example.',
      hint: 'Add a screenshot of the state that the class stands for.',
    });
  }
  const nearest = (hash: string, others: readonly string[]) =>
    Math.min(...others.map((other) => hammingDistance(hash, other)));
  const spread =
    positives.length === 1 ? null : Math.max(...positives.map((hash, i) => nearest(hash, positives.toSpliced(i, 1))));
  const within =
    spread === null ? 'One picture shows no spread' : `The pictures are within ${spread} bits of each other`;

  if (negatives.length === 0) {
    const distance_max = Math.min(64, spread === null ? SINGLE : Math.max(spread, Math.min(spread + MARGIN, FAR)));
    const warning =
      spread !== null && spread > FAR
        ? `that is more than ${FAR}, so they may belong to several classes`
        : 'add pictures that do not belong to the class for a better distance';
    return { distance_max, spread, nearest_negative: null, separable: true, reason: `${within}; ${warning}.` };
  }
  const nearest_negative = Math.min(...negatives.map((hash) => nearest(hash, positives)));
  const inside = spread ?? 0;
  const outside = `the nearest other picture is ${nearest_negative} bits away`;
  if (nearest_negative > inside) {
    const distance_max = Math.floor((inside + nearest_negative - 1) / 2);
    return {
      distance_max,
      spread,
      nearest_negative,
      separable: true,
      reason: `${within}; ${outside}; this is halfway between.`,
    };
  }
  const distance_max = Math.max(0, nearest_negative - 1);
  const reason = `${within}, but ${outside}: no distance separates them, and this one excludes as many of the others as possible.`;
  return { distance_max, spread, nearest_negative, separable: false, reason };
}
