/** The runs of a folder of runs, newest first. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isUuid } from '../run-id.ts';
import { isRun } from './run-file.ts';
import { isLeft, isLocked } from './run-lock.ts';

/** Where runs are by default. */
export function runsFolder(cwd: string): string {
  return path.join(cwd, '.waymark', 'runs');
}

/** Folders. Ids of today are UUIDs and sort by time; older ids are all older, and sort by time too. */
export function newestRuns(runs: string): string[] {
  const names = existsSync(runs) ? readdirSync(runs).sort().reverse() : [];
  return [...names.filter(isUuid), ...names.filter((name) => !isUuid(name))]
    .map((name) => path.join(runs, name))
    .filter(isRun);
}

/** What a kill has left of the very first moment of a run: a lock of a process that is gone, and no plan. */
export function removeUnbegun(runs: string): void {
  const names = existsSync(runs) ? readdirSync(runs).filter(isUuid) : [];
  for (const root of names.map((name) => path.join(runs, name))) {
    if (isRun(root) || isLocked(root)) continue;
    const files = readdirSync(root);
    // Without a lock it may be a folder that another process has made just now.
    const hasLock = files.includes('run.lock') || files.some((file) => isLeft(path.join(root, file)));
    if (hasLock && files.every((file) => /^run\.(?:lock|json)/.test(file)))
      rmSync(root, { recursive: true, force: true });
  }
}
