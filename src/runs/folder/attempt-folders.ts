/** The folder of each attempt: `episodes/<case>/trial-<n>`, later attempts with `-attempt-<m>`. An attempt that was begun is never removed. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AttemptRef, Cell } from '../../events/index.ts';
import { readLastEvent } from '../../journal/index.ts';
import type { AttemptRecord } from '../run-store.ts';

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
  const attempts: AttemptRecord[] = [];
  for (let attempt = 1; ; attempt++) {
    const relative = attemptPath({ ...cell, attempt });
    const folder = path.join(root, relative);
    if (!isUsed(folder)) return attempts;
    const notBegun = reasonIn(folder) ?? known.get(relative);
    attempts.push({ attempt, finished: hasEnded(folder), ...(notBegun === undefined ? {} : { notBegun }) });
  }
}

/** A folder that was only made is as good as new. */
function isUsed(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

function hasEnded(folder: string): boolean {
  const last = readLastEvent(path.join(folder, JOURNAL_FILE));
  return last?.type === 'stop' && last.interrupted !== true;
}

function reasonIn(folder: string): string | undefined {
  try {
    const { reason }: { reason?: unknown } = JSON.parse(readFileSync(path.join(folder, NOT_BEGUN_FILE), 'utf8'));
    return typeof reason === 'string' ? reason : undefined;
  } catch {
    // There is no such file: the attempt was begun.
    return undefined;
  }
}
