/** The pause between two items: never a fixed beat, unless a seed asks for one that can be repeated. */
import type { Settings } from '../../src/capture/formats.ts';

export function pacer({ pace_ms, jitter, seed }: Settings): () => number {
  const random = seed === undefined ? Math.random : mulberry32(seed);
  return () => Math.max(0, pace_ms * (1 + jitter * (2 * random() - 1)));
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
