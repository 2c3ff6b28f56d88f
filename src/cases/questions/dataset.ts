/** A dataset and which version of it this is. */
import { canonicalHash } from '../hash.ts';
import type { Item } from './item.ts';

export interface Dataset {
  readonly id: string;
  readonly name: string;
  readonly version_hash: string;
  readonly items: readonly Item[];
}

/**
 * SHA-256 over the canonical JSON (RFC 8785) of all items in their order, answers included: 64 hexadecimal digits.
 * Whoever changes an answer changes the version.
 */
export function versionHash(items: readonly Item[]): string {
  return canonicalHash(items);
}

/** The sections in the order in which they first come. */
export function sectionsOf(items: readonly Item[]): string[] {
  return [...new Set(items.map(({ section }) => section))];
}
