/** Writes derived files atomically by renaming: a full disk or a kill leaves the earlier file, never half of the new one. */
import { closeSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { fileNotWritten } from './journal-error.ts';

export function putJson(file: string, value: unknown): void {
  putText(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function putText(file: string, text: string): void {
  try {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    throw fileNotWritten(file, error);
  }
}

/** A file that is too long to be held in memory, piece by piece. */
export function putPieces(file: string, pieces: Iterable<string | Buffer>): void {
  let fd: number | undefined;
  try {
    fd = openSync(`${file}.new`, 'w');
    for (const piece of pieces) writeWhole(fd, typeof piece === 'string' ? Buffer.from(piece) : piece);
    closeSync(fd);
    fd = undefined;
    renameSync(`${file}.new`, file);
  } catch (error) {
    if (fd !== undefined) closeSync(fd);
    rmSync(`${file}.new`, { force: true });
    throw fileNotWritten(file, error);
  }
}

/** A short write is no error yet; the next one says which it is. */
export function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written, bytes.length - written);
}
