/** One process writes a run. After a kill -9 the lock stays, and names a process that is gone. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { createWhole, readOrNothing as read, removeWhole, replaceWhole, successorOf } from './whole-file.ts';

export interface RunLock extends Disposable {
  /** False when another writer has taken over the run, because the lock's file was removed. */
  isHeld(): boolean;
}

/** Locks of this process, by their file: its own id in a lock that is not here was left by an earlier process of the same number. */
const held = new Map<string, string>();

// A second Ctrl-C ends the process at once: the next one should not have to find out that this one is gone.
process.on('exit', () => {
  for (const [file, text] of held) remove(file, text);
});

export function lockRun(root: string): RunLock {
  const file = path.join(root, 'run.lock');
  // The token tells two writers of one process apart.
  const text = `${process.pid}\n${randomUUID()}\n`;
  if (!createWhole(file, text) && !takeOver(file, text)) {
    const owner = Number.parseInt(read(file), 10);
    throw new WaymarkError({
      code: 'usage_run_busy',
      message: `The run ${root} is being written by process ${owner}.`,
      hint: `Wait for it to end, or stop it. If that process is something else, remove ${file}.`,
    });
  }
  held.set(file, text);
  return {
    isHeld: () => read(file) === text,
    [Symbol.dispose]: () => {
      held.delete(file);
      remove(file, text);
    },
  };
}

/** Of a process that is gone. */
function takeOver(file: string, text: string): boolean {
  const left = read(file);
  if (isOwned(file, left)) return false;
  if (replaceWhole(file, left, text)) return true;
  // Another process takes it over now, or was killed while it did.
  const successor = successorOf(file, left);
  if (isOwned(file, read(successor))) return false;
  removeWhole(successor, (found) => isOwned(file, found));
  return replaceWhole(file, left, text);
}

function remove(file: string, text: string): void {
  if (read(file) === text) rmSync(file, { force: true });
}

/** Some process writes the run now. */
export function isLocked(root: string): boolean {
  const file = path.join(root, 'run.lock');
  return isOwned(file, read(file));
}

function isOwned(file: string, text: string): boolean {
  const owner = Number.parseInt(text, 10);
  return owner === process.pid ? held.has(file) : isAlive(owner);
}

/** Whether there is such a process. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
