/**
 * Reference numbers that depend on what they stand for: an order with one more item, another size or another address has another number.
 * So a contract that names the number asks for exactly this order, and it can't be guessed.
 */
import { createHash } from 'node:crypto';

/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/**
 * @example
 * reference('order', { lines: [['tent', 'green', 1]] }); // seven letters and digits
 */
export function reference(kind: string, content: unknown): string {
  const digest = createHash('sha256')
    .update(`${kind}\n${JSON.stringify(content)}`)
    .digest();
  return [...digest.subarray(0, 7)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
