/** A run is a folder: journals as they were written, and everything that was made from them. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileNotWritten } from '../journal/index.ts';

export interface RunFolder {
  readonly runId: string;
  readonly root: string;
  /** The folder of one attempt at an episode; it need not be there. */
  pathOf(taskId: string, trial: number, attempt: number): string;
}

export function openRunFolder(root: string, runId: string): RunFolder {
  try {
    for (const name of ['reports', 'events']) mkdirSync(path.join(root, name), { recursive: true });
  } catch (cause) {
    throw fileNotWritten(root, cause);
  }
  return {
    runId,
    root,
    // The task's id is checked to be a file name; numbers keep every attempt apart.
    pathOf: (taskId, trial, attempt) =>
      path.join(root, 'episodes', taskId, `trial-${trial}${attempt > 1 ? `-attempt-${attempt}` : ''}`),
  };
}

/** Sortable by time, and unique without asking anybody. */
export function newRunId(now: Date = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
