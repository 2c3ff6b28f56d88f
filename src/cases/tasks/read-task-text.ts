/** The text of a file that the user named. Refuses devices, files that are too large and files that are not UTF-8 text, before a parser reads them. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** A hundred thousand tasks fit. */
const MAX_TASK_FILE = 64 * 1024 * 1024;

/** @throws Error with a sentence, to be shown with the name of the file. */
export function readTaskText(file: string): string {
  const about = statSync(file);
  if (!about.isFile() && !about.isFIFO()) throw new Error('it is no file');
  if (about.size > MAX_TASK_FILE) throw new Error(`it has more than ${MAX_TASK_FILE / 1024 / 1024} MiB; split it`);
  const bytes = readFileSync(file);
  if (!isUtf8(bytes)) throw new Error('it is not UTF-8 text; save it as UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new Error('it begins with a byte order mark; save it as UTF-8 without one');
  return bytes.toString('utf8');
}
