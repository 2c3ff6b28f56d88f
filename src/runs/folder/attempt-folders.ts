/** The folder of each attempt: `episodes/<case>/trial-<n>`, later attempts with `-attempt-<m>`. An attempt that was begun is never removed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { AttemptRef, Cell } from '../../events/index.ts';
import { readLastEvent } from '../../journal/index.ts';
import { FAULT_OUTCOMES } from '../../metrics/index.ts';
import type { AttemptRecord, NotBegun } from '../run-store.ts';

export const JOURNAL_FILE = 'events.jsonl';
export const GRADES_FILE = 'grades.jsonl';
export const NOT_BEGUN_FILE = 'not-begun.json';

/** Relative to the run's folder. */
export function attemptPath({ caseId, trial, attempt }: Omit<AttemptRef, 'runId'>): string {
  return path.join('episodes', folderName(caseId), `trial-${trial}${attempt > 1 ? `-attempt-${attempt}` : ''}`);
}

/** A task's id is a file name already; a question's may be any text, and some file systems know no upper case. */
function folderName(caseId: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,127}$/.test(caseId)) return caseId;
  const readable = caseId
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 60);
  return `${readable}~${createHash('sha256').update(caseId).digest('hex').slice(0, 12)}`;
}

/** What is there of a cell, oldest first. */
export function attemptsOf(root: string, cell: Cell, known: ReadonlyMap<string, string> = new Map()): AttemptRecord[] {
  return Array.from({ length: countAttempts(root, cell) }, (_, index) => {
    const relative = attemptPath({ ...cell, attempt: index + 1 });
    const folder = path.join(root, relative);
    const notBegun = notBegunIn(folder)?.reason ?? known.get(relative);
    return { attempt: index + 1, finished: hasEnded(folder), ...(notBegun === undefined ? {} : { notBegun }) };
  });
}

/** Attempts are numbered without a gap. */
export function countAttempts(root: string, cell: Cell): number {
  let count = 0;
  while (isUsed(path.join(root, attemptPath({ ...cell, attempt: count + 1 })))) count++;
  return count;
}

/** A folder that was only made is as good as new. */
function isUsed(folder: string): boolean {
  // Asked first, because an error takes longer than all else: every cell has a folder that is not there, that of its next attempt.
  if (!existsSync(folder)) return false;
  try {
    return readdirSync(folder).length > 0;
  } catch {
    // It is no folder.
    return false;
  }
}

function hasEnded(folder: string): boolean {
  const last = readLastEvent(path.join(folder, JOURNAL_FILE));
  return last?.type === 'stop' && last.interrupted !== true;
}

/** Earlier versions wrote only the reason. */
const notBegunSchema = z.object({ reason: z.string(), outcome: z.enum(FAULT_OUTCOMES).catch('env_error') });

/** Why an attempt could not be begun; undefined where it was. */
export function notBegunIn(folder: string): NotBegun | undefined {
  const file = path.join(folder, NOT_BEGUN_FILE);
  // The attempt was begun.
  if (!existsSync(file)) return undefined;
  try {
    return notBegunSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    // A kill came while it was written.
    return undefined;
  }
}
