/** `manifest.json`: the hash of every file of a run that has ended. The same files give the same bytes. */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { putPieces } from '../../journal/index.ts';
import { isSigned, MANIFEST_FILE } from '../folder/manifest-file.ts';
import type { RunFile } from '../folder/run-file.ts';
import { filesOf, hashFile } from './run-files.ts';

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

/** Each file is read once; a line is in memory at a time. */
export function writeManifest(root: string, runId: string): void {
  putPieces(path.join(root, MANIFEST_FILE), manifestPieces(root, runId));
}

function* manifestPieces(root: string, runId: string): Generator<string, void, undefined> {
  yield `{\n  "format": "waymark.manifest.v1",\n  "runId": ${JSON.stringify(runId)},\n  "files": [`;
  let isFirst = true;
  for (const { path: file, isFile } of filesOf(root)) {
    // A file that is about to get its name, and what is no file.
    if (!isFile || file.endsWith('.new')) continue;
    yield `${isFirst ? '' : ','}\n    ${JSON.stringify(hashFile(root, file))}`;
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
