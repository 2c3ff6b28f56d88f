/** A hash that identifies a contract. It does not depend on the order of fields or on white space. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import type { Contract } from './schema.ts';

/**
 * SHA-256 over the canonical JSON (RFC 8785), 64 hexadecimal digits.
 *
 * @example
 * contractHash({ kind: 'no_dialog' }) === contractHash(JSON.parse('{ "kind": "no_dialog" }')); // true
 */
export function contractHash(contract: Contract): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalize(contract) ?? '')));
}
