/** Files of exports. Names in a journal are not trusted: a picture is read only from inside its attempt. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { fileNotWritten } from '../../journal/index.ts';
import { readArtifact } from '../folder/attempt-artifacts.ts';

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw fileNotWritten(folder, cause);
  }
}

/** A picture that is missing, or whose name leads elsewhere, is left out. */
export function copyPicture(attemptFolder: string, picture: string, to: string): boolean {
  const bytes = readPicture(attemptFolder, picture);
  if (bytes === undefined) return false;
  makeFolder(path.dirname(to));
  try {
    writeFileSync(to, bytes);
  } catch (cause) {
    throw fileNotWritten(to, cause);
  }
  return true;
}

function readPicture(attemptFolder: string, picture: string): Uint8Array | undefined {
  try {
    return readArtifact(attemptFolder, picture);
  } catch (error) {
    if (error instanceof WaymarkError && error.code === 'bad_artifact_key') return undefined;
    throw error;
  }
}
