/** A run is a folder: journals as they were written, and everything that was made from them. */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';

export interface RunFolder {
  readonly runId: string;
  readonly root: string;
  /** Of one episode; made when asked for. */
  episode(taskId: string, trial: number, attempt: number): string;
}

export function openRunFolder(root: string, runId: string): RunFolder {
  mkdirSync(path.join(root, 'reports'), { recursive: true });
  mkdirSync(path.join(root, 'events'), { recursive: true });
  return {
    runId,
    root,
    episode(taskId, trial, attempt) {
      // The task's id is checked to be a file name; numbers keep every attempt apart.
      const folder = path.join(root, 'episodes', taskId, `trial-${trial}${attempt > 1 ? `-attempt-${attempt}` : ''}`);
      mkdirSync(folder, { recursive: true });
      return folder;
    },
  };
}

/** Sortable by time, and unique without asking anybody. */
export function newRunId(now: Date = new Date()): string {
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
