/** The hashes of the interchange format. */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256Hex } from '../hashes/index.ts';

export { sha256Hex };

/** SHA-256 over the canonical JSON (RFC 8785): neither the order of fields nor white space counts. */
export function canonicalHash(value: unknown): string {
  return sha256Hex(canonicalize(value) ?? '');
}

/** 128 bits of SHA-256 in 22 characters: tokens carry one for each prompt, and bookmarklets are short. */
export function promptHash(promptText: string): string {
  return createHash('sha256').update(promptText).digest().subarray(0, 16).toString('base64url');
}
