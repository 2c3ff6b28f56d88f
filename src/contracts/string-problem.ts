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

/** A class of pictures is a folder beside the task. */
export function classIdProblem(value: string): string | undefined {
  if (value === '') return 'must not be empty.';
  return value === '.' || value === '..' || /[/\\\u0000-\u001f]/.test(value)
    ? 'must be the name of one folder, without "/", "\\" and control characters, and not "." or "..".'
    : undefined;
}

export function pageUrlProblem(value: string): string | undefined {
  const isHere = value.startsWith('/') || /^https?:/i.test(value);
  const protocol = URL.parse(value, 'http://start.invalid/')?.protocol;
  return isHere && (protocol === 'http:' || protocol === 'https:')
    ? undefined
    : 'must be an http or https address, or a path that starts with "/".';
}

/** A JSON value of a contract is as long as a string may be. */
export function jsonProblem(value: unknown): string | undefined {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    return 'is nested too deeply.';
  }
  return json === undefined ? 'is not a JSON value.' : stringProblem(json);
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
