/** Writes derived files atomically by renaming: a full disk or a kill leaves the earlier file, never half of the new one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
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
