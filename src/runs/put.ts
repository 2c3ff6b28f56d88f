/** Files of a run that are made from its journals. Renamed into place: a full disk leaves the earlier one. */
import { renameSync, writeFileSync } from 'node:fs';

export function put(file: string, value: unknown): void {
  putText(file, `${JSON.stringify(value, null, 2)}\n`);
}

export function putText(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
