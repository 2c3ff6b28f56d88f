/**
 * The hash chain of a file of JSON lines: each line ends with `"chain"`, the SHA-256 over the hash of the line before, a newline, and the line
 * without that field. A line that is changed, removed, added or moved no longer fits. Whoever can write the file can also compute the chain
 * again: only a signature over its last hash shows that.
 */
import { createHash, hash } from 'node:crypto';

const BEFORE = ',"chain":"';
const AFTER = '"}';
const HEX = 64;
/** What a hash takes of a line. */
const SUFFIX = BEFORE.length + HEX + AFTER.length;

/**
 * @example
 * const chain = new HashChain();
 * chain.add('{"seq":0,"type":"start"}'); // => '{"seq":0,"type":"start","chain":"5f0c…"}'
 */
export class HashChain {
  #head: string;

  /** `seed`: what the first line is chained to, where it is not the beginning of everything. */
  constructor(seed = '') {
    this.#head = seed;
  }

  /** The hash of the last line; the seed where there is none. */
  get head(): string {
    return this.#head;
  }

  /** Chains a line (a JSON object without its newline), and returns it with its hash. */
  add(line: string): string {
    this.#head = hash('sha256', `${this.#head}\n${line}`);
    return `${line.slice(0, -1)}${BEFORE}${this.#head}${AFTER}`;
  }

  /** Follows a line that is written already. One without a hash (an earlier version wrote it) is chained all the same, by those after it. */
  follow(line: Buffer): Followed {
    const recorded = hashIn(line);
    const digest = createHash('sha256').update(`${this.#head}\n`);
    if (recorded === undefined) digest.update(line);
    else digest.update(line.subarray(0, line.length - SUFFIX)).update('}');
    const again = digest.digest('hex');
    // The recorded one: a line that was changed is named alone, and not all that follow it.
    this.#head = recorded ?? again;
    return { recorded, again };
  }
}

export interface Followed {
  /** The hash that the line has; undefined where it has none. */
  recorded: string | undefined;
  /** The one that it must have. */
  again: string;
}

/** Values as a whole file of chained lines. */
export function chainedText(values: readonly object[]): string {
  const chain = new HashChain();
  return values.map((value) => `${chain.add(JSON.stringify(value))}\n`).join('');
}

/** A line without its hash, to be parsed. */
export function unchained(line: string): string {
  return isChained(line) ? `${line.slice(0, -SUFFIX)}}` : line;
}

function isChained(line: string): boolean {
  return line.endsWith(AFTER) && line.startsWith(BEFORE, line.length - SUFFIX);
}

/** Undefined where the line has none. */
export function hashIn(line: Buffer): string | undefined {
  const end = line.toString('latin1', Math.max(0, line.length - SUFFIX));
  const found = end.slice(BEFORE.length, -AFTER.length);
  return isChained(end) && /^[0-9a-f]{64}$/.test(found) ? found : undefined;
}
