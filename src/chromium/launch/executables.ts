/** What lies in folders that may not exist, and whether it can be run. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    // A folder has the executable bit too.
    return statSync(file).isFile();
  } catch {
    // What cannot be accessed cannot be executed.
    return false;
  }
}

/** Names in a folder; none where there is no such folder. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder that can't be read has nothing to offer.
    return [];
  }
}
