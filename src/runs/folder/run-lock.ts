/** One process writes a run. After a kill -9 the lock stays, and names a process that is gone. */
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';

export interface RunLock extends Disposable {
  /** False when another writer has taken over the run, because the lock's file was removed. */
  isHeld(): boolean;
}

/** Locks of this process, by their file: its own id in a lock that is not here was left by an earlier process of the same number. */
const held = new Set<string>();

export function lockRun(root: string): RunLock {
  const file = path.join(root, 'run.lock');
  // The token tells two writers of one process apart.
  const text = `${process.pid}\n${randomUUID()}\n`;
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch {
    if (isLocked(root)) {
      const owner = Number.parseInt(read(file), 10);
      throw new WaymarkError({
        code: 'usage_run_busy',
        message: `The run ${root} is being written by process ${owner}.`,
        hint: `Wait for it to end, or stop it. If that process is something else, remove ${file}.`,
      });
    }
    writeFileSync(file, text);
  }
  held.add(file);
  const isHeld = (): boolean => read(file) === text;
  return {
    isHeld,
    [Symbol.dispose]: () => {
      held.delete(file);
      if (isHeld()) rmSync(file, { force: true });
    },
  };
}

/** Some process writes the run now. */
export function isLocked(root: string): boolean {
  const file = path.join(root, 'run.lock');
  const owner = Number.parseInt(read(file), 10);
  return owner === process.pid ? held.has(file) : isAlive(owner);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
