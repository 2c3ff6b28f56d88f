/** A file or a folder that rows are imported from, with the hash that is kept with the tasks. */
import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_BODY_BYTES, MAX_LINES } from '../../archives/index.ts';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { sha256Hex } from '../hash.ts';
import type { Row } from '../rows/row.ts';
import { rowOfBytes, rowsOfBytes } from './rows-of-text.ts';

export interface Source {
  /** The name of the file or folder, without its path. */
  readonly file: string;
  readonly sha256: string;
  readonly rows: Iterable<Row>;
}

/** A folder has a row in each of its `*.json`, as REAL publishes its tasks. */
export function readSource(place: string): Source {
  const file = path.basename(path.resolve(place));
  if (isFolder(place)) {
    const names = readdirSync(place).filter((name) => name.endsWith('.json'));
    const files = readFiles(
      place,
      names.filter((name) => lstatSync(path.join(place, name)).isFile()),
    );
    return {
      file,
      sha256: hashOfFiles(files),
      rows: [...files].map(([name, bytes]) => ({ place: name, ...rowOfBytes(bytes) })),
    };
  }
  const bytes = readBytes(place);
  return { file, sha256: sha256Hex(bytes), rows: rowsOfBytes(bytes) };
}

/** A file whose rows are not JSON alone. */
export function readText(place: string): Pick<Source, 'file' | 'sha256'> & { text: string } {
  const bytes = readBytes(place);
  if (!isUtf8(bytes)) throw unusable(`${place} is not UTF-8 text.`);
  return { file: path.basename(path.resolve(place)), sha256: sha256Hex(bytes), text: bytes.toString('utf8') };
}

/** The contents by name, sorted, within the limits. */
export function readFiles(folder: string, names: readonly string[]): Map<string, Buffer> {
  if (names.length > MAX_LINES) throw unusable(`${folder} has more than ${MAX_LINES} files.`);
  const files = new Map<string, Buffer>();
  let size = 0;
  for (const name of [...names].sort()) {
    const bytes = readBytes(path.join(folder, name));
    size += bytes.length;
    if (size > MAX_BODY_BYTES) throw unusable(`The files in ${folder} have more than ${MAX_BODY_BYTES} bytes.`);
    files.set(name, bytes);
  }
  return files;
}

/** Names and contents count; times and places do not. */
export function hashOfFiles(files: ReadonlyMap<string, Buffer>): string {
  return sha256Hex([...files].map(([name, bytes]) => `${sha256Hex(bytes)}  ${name}\n`).join(''));
}

export function isFolder(place: string): boolean {
  try {
    return lstatSync(place).isDirectory();
  } catch (cause) {
    throw unusable(`${place} can't be read: ${messageOf(cause)}.`, cause);
  }
}

function readBytes(file: string): Buffer {
  try {
    const { size } = lstatSync(file);
    if (size > MAX_BODY_BYTES) throw unusable(`${file} has more than ${MAX_BODY_BYTES} bytes.`);
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw unusable(`${file} can't be read: ${messageOf(cause)}.`, cause);
  }
}

function unusable(message: string, cause?: unknown): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint: 'See: waymark import --help', cause });
}
