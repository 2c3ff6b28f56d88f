/** Signs a run that has ended and that verifies: its manifest is written anew, and the signature beside it. */
import type { KeyObject } from 'node:crypto';
import { WaymarkError } from '../../errors/index.ts';
import { readRunFile } from '../folder/run-file.ts';
import { manifestBytes, parseManifest, writeManifest } from './manifest.ts';
import { type Signature, signManifest } from './signature.ts';

export interface SignedRun extends Omit<Signature, 'format' | 'publicKey' | 'signature'> {
  /** How many the manifest lists. */
  files: number;
}

export function checkSignable(root: string): void {
  if (readRunFile(root).endedAt !== undefined) return;
  throw new WaymarkError({
    code: 'usage_unfinished_run',
    message: `The run ${root} has not ended, and can't be signed.`,
    hint: 'Continue it with the command that began it and --resume, and sign it when it has ended.',
  });
}

export function signRun(root: string, key: KeyObject, now: () => number = Date.now): SignedRun {
  checkSignable(root);
  const { runId } = readRunFile(root).plan;
  writeManifest(root, runId);
  const manifest = manifestBytes(root) ?? Buffer.alloc(0);
  const {
    format: _format,
    publicKey: _publicKey,
    signature: _signature,
    ...signed
  } = signManifest(root, {
    runId,
    manifest,
    key,
    now: now(),
  });
  return { ...signed, files: parseManifest(manifest)?.files.length ?? 0 };
}
