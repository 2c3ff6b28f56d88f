/** Files that are made from journals. Renamed into place: a full disk or a kill leaves the earlier one, never half of a new one. */
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
