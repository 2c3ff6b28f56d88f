/** The names of the manifest and of its signature, and what a run that is executed again does to them. */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';

export const MANIFEST_FILE = 'manifest.json';
export const SIGNATURE_FILE = 'manifest.sig.json';

export function isSigned(root: string): boolean {
  return existsSync(path.join(root, SIGNATURE_FILE));
}

/** More attempts will be made: the manifest would no longer be true. A signed run has been said to be whole. */
export function dropManifest(root: string): void {
  if (isSigned(root)) {
    throw new WaymarkError({
      code: 'usage_run_signed',
      message: `Cannot add attempts to ${root}: the run is signed.`,
      hint: `Start a new run, or remove ${path.join(root, SIGNATURE_FILE)} if the signature is not needed any more.`,
    });
  }
  rmSync(path.join(root, MANIFEST_FILE), { force: true });
}
