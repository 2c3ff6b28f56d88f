/** Problems that any string of a contract can have, as the rest of a sentence about it. */
import { MAX_STRING_BYTES } from './limits.ts';

export function stringProblem(value: string): string | undefined {
  if (value.length > MAX_STRING_BYTES || utf8Length(value) > MAX_STRING_BYTES) {
    return `is longer than ${MAX_STRING_BYTES} bytes of UTF-8; a contract's strings are at most that long.`;
  }
  // Half a surrogate pair has no UTF-8 form, so the contract could not be hashed.
  if (!value.isWellFormed()) return 'holds half of a surrogate pair, which is not a character.';
  return undefined;
}

function utf8Length(value: string): number {
  let bytes = value.length;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    // The two code units of a surrogate pair make four bytes together.
    if (code >= 0x80) bytes += code >= 0x800 && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
