/** Every bound of the journal, in one place. */

export const JOURNAL_LIMITS = {
  /** Bytes of one event's line, but for messages. A longer one is cut to fit, and says so. */
  eventBytes: 1024 * 1024,
  /** Bytes of a line that a reader still takes: without a bound, a file that has no newlines would fill the memory. */
  lineBytes: 8 * 1024 * 1024,
  /** Bytes of a line that its hash takes (journal/hash-chain.ts). */
  chainBytes: 75,
  /** Characters of a tool's answer that are kept. */
  text: 262_144,
  /** Entries of one evidence event; the newest are kept, the others counted in `dropped`. */
  network: 200,
  console: 100,
  dialogs: 20,
  downloads: 20,
  popups: 20,
} as const;

/**
 * A tool's answer as the journal keeps it: its beginning, and the length of the whole.
 *
 * @example
 * boundText('Thank you'); // => { text: 'Thank you', textLength: 9 }
 */
export function boundText(text: string, limit: number = JOURNAL_LIMITS.text): { text: string; textLength: number } {
  return { text: cutText(text, limit), textLength: text.length };
}

/**
 * The newest entries of a list, and how many older ones were left out.
 *
 * @example
 * boundList(['a', 'b', 'c'], 2); // => { kept: ['b', 'c'], dropped: 1 }
 */
export function boundList<T>(entries: readonly T[], limit: number): { kept: T[]; dropped: number } {
  const dropped = Math.max(0, entries.length - limit);
  return { kept: entries.slice(dropped), dropped };
}

/** Its first characters; a pair of surrogates is not cut in two. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
