/** `manifest.json`: the hash of every file of a run that has ended. The same files give the same bytes. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { putPieces } from '../../journal/index.ts';
import { isSigned, MANIFEST_FILE } from '../folder/manifest-file.ts';
import type { RunFile } from '../folder/run-file.ts';
import { compareFiles, filesOf, type HashedFile, hashFile } from './run-files.ts';

const manifestSchema = z.strictObject({
  format: z.literal('waymark.manifest.v1'),
  runId: z.string(),
  files: z.array(
    z.strictObject({ path: z.string(), bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** After the reports. A signed one stays as it was signed; that of a run which has not ended would soon be wrong. */
export function keepManifest(root: string, run: RunFile): void {
  if (isSigned(root)) return;
  if (run.endedAt === undefined) rmSync(path.join(root, MANIFEST_FILE), { force: true });
  else writeManifest(root, run.plan.runId);
}

/**
 * After one file was written: its hash is made anew, and those of the others stay. To hash them all takes as long as to score the run, and would
 * also vouch for what somebody has changed since.
 */
export function keepFileInManifest(root: string, run: RunFile, file: string): void {
  const known = manifestBytes(root);
  const manifest = known && parseManifest(known);
  if (!manifest || run.endedAt === undefined || isSigned(root)) return keepManifest(root, run);
  const others = manifest.files.filter((other) => other.path !== file);
  const files = [...others, hashFile(root, file)].sort((a, b) => compareFiles(a.path, b.path));
  putPieces(path.join(root, MANIFEST_FILE), manifestPieces(run.plan.runId, files));
}

/** Each file is read once; a line is in memory at a time. */
export function writeManifest(root: string, runId: string): void {
  putPieces(path.join(root, MANIFEST_FILE), manifestPieces(runId, hashedFiles(root)));
}

function* hashedFiles(root: string): Generator<HashedFile, void, undefined> {
  for (const { path: file, isFile } of filesOf(root)) {
    // A file that is about to get its name, and what is no file.
    if (isFile && !file.endsWith('.new')) yield hashFile(root, file);
  }
}

function* manifestPieces(runId: string, files: Iterable<HashedFile>): Generator<string, void, undefined> {
  yield `{\n  "format": "waymark.manifest.v1",\n  "runId": ${JSON.stringify(runId)},\n  "files": [`;
  let isFirst = true;
  for (const file of files) {
    yield `${isFirst ? '' : ','}\n    ${JSON.stringify(file)}`;
    isFirst = false;
  }
  yield '\n  ]\n}\n';
}

/** Undefined where it is none. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Undefined where there is none. */
export function manifestBytes(root: string): Buffer | undefined {
  try {
    return readFileSync(path.join(root, MANIFEST_FILE));
  } catch {
    return undefined;
  }
}
