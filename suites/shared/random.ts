/** Numbers from a seed: the same seed gives the same site on every machine. */

export interface Random {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  pick<T>(from: readonly T[]): T;
  /** Some of a list, in the list's order. */
  some<T>(from: readonly T[], count: number): T[];
  shuffle<T>(from: readonly T[]): T[];
}

/**
 * @example
 * const random = seeded(7);
 * random.int(1, 6); // the same on every machine
 */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: small, fast, and good enough to fill shelves.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const shuffle = <T>(from: readonly T[]): T[] => {
    const list = [...from];
    for (let last = list.length - 1; last > 0; last--) {
      const other = int(0, last);
      [list[last], list[other]] = [list[other] as T, list[last] as T];
    }
    return list;
  };
  return {
    int,
    shuffle,
    pick: (from) => from[int(0, from.length - 1)] as (typeof from)[number],
    some: (from, count) => {
      const chosen = new Set(shuffle(from).slice(0, count));
      return from.filter((one) => chosen.has(one));
    },
  };
}

/** A seed of its own for something that has a name, so that it does not depend on what was made before it. */
export function seedOf(name: string, seed: number): number {
  return [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0, seed);
}
