/** The package's version, from package.json, which is two folders up both in src/ and in dist/. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

export const packageRoot = path.resolve(import.meta.dirname, '../..');

export function version(): string {
  return readVersion(packageRoot) ?? 'unknown';
}

/** The version of the package in a folder, or undefined if there is none. */
export function readVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
    return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
  } catch {
    // The folder has no package.json with a version: that is what undefined says.
    return undefined;
  }
}
