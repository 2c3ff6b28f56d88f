/** Files beside a journal. Links are not followed: a run's folder may come from another machine. */
import { closeSync, constants, lstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileNotWritten } from '../../journal/index.ts';
import { artifactParts } from '../artifact-key.ts';

/** Undefined where there is no such file, or where the way to it leads through a link. */
export function readArtifact(folder: string, key: string): Uint8Array | undefined {
  const parts = artifactParts(key);
  if (parts.some((_, index) => isLink(path.join(folder, ...parts.slice(0, index + 1))))) return undefined;
  let fd: number | undefined;
  try {
    fd = openSync(path.join(folder, ...parts), constants.O_RDONLY | constants.O_NOFOLLOW);
    return readFileSync(fd);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

export function writeArtifact(folder: string, key: string, content: Uint8Array): void {
  const file = path.join(folder, ...artifactParts(key));
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { flag: 'wx' });
  } catch (cause) {
    throw fileNotWritten(file, cause);
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP'].includes(String(Object(error).code));
}
