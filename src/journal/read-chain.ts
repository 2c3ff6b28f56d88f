/** Follows the hash chain of a journal, or of the grades beside it. */
import { JOURNAL_LIMITS } from '../events/index.ts';
import { HashChain } from './hash-chain.ts';
import { readLines } from './read-lines.ts';

export interface ReadChain {
  /** Whole lines. */
  lines: number;
  /** Those that have a hash. */
  chained: number;
  /** The hash of the last line; empty where no line has one. */
  head: string;
  breaks: ChainBreak[];
}

export interface ChainBreak {
  /** From 1. */
  line: number;
  recorded: string;
  again: string;
}

/**
 * Lines of earlier versions have no hash; they may only stand before those that have one. `onHash` is told the hash after each line.
 *
 * @example
 * const { breaks, head } = await readChain('events.jsonl');
 */
export async function readChain(
  file: string,
  { seed, onHash }: { seed?: string | undefined; onHash?: ((line: number, hash: string) => void) | undefined } = {},
): Promise<ReadChain> {
  const chain = new HashChain(seed);
  const read: ReadChain = { lines: 0, chained: 0, head: '', breaks: [] };
  for await (const lines of readLines(file, JOURNAL_LIMITS.lineBytes)) {
    for (const { bytes, number, whole } of lines) {
      if (!whole) break;
      const { recorded, again } = chain.follow(bytes);
      read.lines++;
      if (recorded !== undefined) read.chained++;
      if (recorded === undefined ? read.chained > 0 : recorded !== again)
        read.breaks.push({ line: number, recorded: recorded ?? 'no hash', again });
      onHash?.(number, chain.head);
    }
  }
  if (read.chained > 0) read.head = chain.head;
  return read;
}
