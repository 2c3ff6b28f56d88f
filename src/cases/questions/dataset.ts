/** A dataset and the hash of its version. */
import { canonicalHash } from '../hash.ts';
import type { Item } from './item.ts';

export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly version_hash: string;
  readonly items: readonly Item[];
}

/**
 * SHA-256 over the canonical JSON (RFC 8785) of all items in order, including answers: 64 hexadecimal digits.
 * Changing an answer changes the version.
 */
export function versionHash(items: readonly Item[]): string {
  return canonicalHash(items);
}

/** The sections in order of first appearance. */
export function sectionsOf(items: readonly Item[]): string[] {
  return [...new Set(items.map(({ section }) => section))];
}
