/** A hash that identifies a contract. It does not depend on the order of fields or on white space. */
import canonicalize from 'canonicalize';
import { sha256Hex } from '../hashes/index.ts';
import type { Contract } from './schema.ts';

/**
 * SHA-256 over the canonical JSON (RFC 8785), 64 hexadecimal digits.
 *
 * @example
 * contractHash({ kind: 'no_dialog' }) === contractHash(JSON.parse('{ "kind": "no_dialog" }')); // true
 */
export function contractHash(contract: Contract): string {
  return sha256Hex(canonicalize(contract) ?? '');
}
