/** Randomness is an argument: functions that resample take a seeded source, so that a replay draws the same numbers. */

/** Uniform in [0, 1). */
export type Random = () => number;

/**
 * A seeded source: sfc32 (Chris Doty-Humphrey, PractRand). The state is filled from the seed and then mixed.
 *
 * @example
 * const a = seededRandom(7);
 * const b = seededRandom(7);
 * a() === b(); // => true
 */
export function seededRandom(seed: number): Random {
  let a = seed | 0;
  let b = Math.floor(seed / 2 ** 32) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = () => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 15; round++) next();
  return next;
}

/** An integer in [0, below). */
export function drawIndex(random: Random, below: number): number {
  // A source that returns 1 is invalid, but it must not cause a read past the end.
  return Math.min(below - 1, Math.floor(random() * below));
}
