/** The files of a run's folder, and which of them what follows may change. */

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import path from 'node:path';
import { LEDGER_FILE, MESSAGES_FILE, METADATA_FILE } from '../../episode/index.ts';
import { GRADES_FILE } from '../folder/attempt-folders.ts';
import { LAUNCH_FILE } from '../folder/launch-file.ts';
import { MANIFEST_FILE, SIGNATURE_FILE } from '../folder/manifest-file.ts';
import { isRequestFile } from '../folder/run-requests.ts';

export interface HashedFile {
  /** Relative to the run's folder, with slashes. */
  path: string;
  bytes: number;
  sha256: string;
}

export interface FoundFile {
  path: string;
  /** False for a link, a pipe or a device: no run has one. */
  isFile: boolean;
}

const OUTSIDE = new Set([MANIFEST_FILE, SIGNATURE_FILE, LAUNCH_FILE, 'run.lock']);

/** In the order of their names, folder by folder: one folder's names are in memory. */
export function* filesOf(root: string, folder = ''): Generator<FoundFile, void, undefined> {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesOf(root, name);
    else if (!OUTSIDE.has(name) && !(folder === '' && isRequestFile(name)))
      yield { path: name, isFile: entry.isFile() };
  }
}

/** The same order, of paths. */
export function compareFiles(a: string, b: string): number {
  const [ours, theirs] = [a.split('/'), b.split('/')];
  const at = ours.findIndex((name, index) => name !== theirs[index]);
  return (ours[at] ?? '') < (theirs[at] ?? '') ? -1 : 1;
}

/**
 * - `evidence`: what happened. Nothing changes it.
 * - `grades`: a log beside a journal that may grow, and what graders keep beside it.
 * - `made`: folded from the others, and made again by `waymark report`.
 * - `other`: what `waymark rescore` and other programs put there.
 */
export type FileKind = 'evidence' | 'grades' | 'made' | 'other';

const MADE = /^(?:report\.(?:json|md|html)|events\.jsonl|reports\/.*|report-data\/.*|events\/.*)$/;
const MADE_OF_ATTEMPT = new Set([METADATA_FILE, MESSAGES_FILE, LEDGER_FILE]);

export function kindOf(file: string): FileKind {
  if (file === 'run.json' || file === 'cells.jsonl') return 'evidence';
  const [top, _case, _attempt, ...rest] = file.split('/');
  if (top !== 'episodes') return MADE.test(file) ? 'made' : 'other';
  const name = rest.join('/');
  if (name === GRADES_FILE || name.startsWith('graders/')) return 'grades';
  return MADE_OF_ATTEMPT.has(name) ? 'made' : 'evidence';
}

const BLOCK = Buffer.allocUnsafe(256 * 1024);

/** `end`: only so many of its first bytes. */
export function hashFile(root: string, file: string, end = Number.POSITIVE_INFINITY): HashedFile {
  const fd = openSync(path.join(root, file), 'r');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for (;;) {
      const read = readSync(fd, BLOCK, 0, Math.min(BLOCK.length, end - bytes), null);
      if (read === 0) break;
      hash.update(BLOCK.subarray(0, read));
      bytes += read;
    }
    return { path: file, bytes, sha256: hash.digest('hex') };
  } finally {
    closeSync(fd);
  }
}
