/** `--sample n --seed s`: the same seed draws the same cases, whatever order they come in and whatever other cases there are beside them. */
import { createHash } from 'node:crypto';

/** Of fewer there are all. They stay in their order. */
export function sampleOf<T>(all: readonly T[], idOf: (one: T) => string, count: number, seed: number): T[] {
  const ranked = all
    .map((one) => ({
      one,
      rank: createHash('sha256')
        .update(`${seed}\n${idOf(one)}`)
        .digest('hex'),
    }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const drawn = new Set(ranked.slice(0, count).map(({ one }) => one));
  return all.filter((one) => drawn.has(one));
}
