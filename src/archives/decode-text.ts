/** Strict UTF-8: bytes that are not text are refused, not repaired. A byte order mark is refused too, because JSON does not allow it. */
import { isUtf8 } from 'node:buffer';
import { invalid } from './archive-problem.ts';

export function decodeText(bytes: Buffer, path: string): string {
  if (!isUtf8(bytes)) throw invalid('encoding', path, `${path || 'it'} is not UTF-8.`);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw invalid('encoding', path, `${path || 'it'} begins with a byte order mark.`);
  }
  return bytes.toString('utf8');
}
