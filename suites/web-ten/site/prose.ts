/** Sentences that fill a page as sentences do: readable, a little different each time, and of no use to any task. */
import { seeded, seedOf } from '../../shared/random.ts';

const SEED = 7001;

export interface Phrases {
  /** `#` becomes a number from 3 to 90. */
  readonly sentences: readonly string[];
}

/**
 * @example
 * prose('dove', RIVERS, 3); // three sentences, the same every time
 */
export function prose(name: string, { sentences }: Phrases, count: number): string[] {
  const random = seeded(seedOf(name, SEED));
  return random
    .shuffle(sentences)
    .slice(0, count)
    .map((sentence) => sentence.replaceAll('#', () => String(random.int(3, 90))));
}
