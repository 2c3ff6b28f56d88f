/** One process writes a run. After a kill -9 the lock stays, and names a process that is gone. */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { createWhole, readOrNothing as read, removeWhole, replaceWhole, successorOf } from './whole-file.ts';

/** What the run is written for: its attempts, or only further grades of what has ended. */
export type LockPurpose = 'execute' | 'grade';

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

export function lockRun(root: string, purpose: LockPurpose = 'execute'): RunLock {
  const file = path.join(root, 'run.lock');
  // The token tells two writers of one process apart.
  const text = `${process.pid}\n${randomUUID()}\n${purpose}\n`;
  if (!createWhole(file, text) && !takeOver(file, text)) {
    const owner = ownerOf(read(file));
    throw new WaymarkError({
      code: 'usage_run_busy',
      message: `The run ${root} is being written by process ${owner}.`,
      hint: `Wait for it to end, or stop it. If that process is something else, remove ${file}.`,
    });
  }
  held.set(file, text);
  removeLeft(root);
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

/** Removes the lock of a process that was killed after it had finished the run: such a run is not taken over. */
export function removeStaleLock(root: string): void {
  const file = path.join(root, 'run.lock');
  if (read(file) !== '') removeWhole(file, (text) => isOwned(file, text));
  removeLeft(root);
}

function removeLeft(root: string): void {
  for (const name of readdirSync(root))
    if (isLeft(path.join(root, name))) rmSync(path.join(root, name), { force: true });
}

/** A file that a kill has left in the middle of the creation or the replacement of a lock. A process that is in the middle of it now is running. */
export function isLeft(file: string): boolean {
  const text = path.basename(file).startsWith('run.lock.') ? read(file) : '';
  return ownerOf(text) > 0 && !isOwned(path.join(path.dirname(file), 'run.lock'), text);
}

/** Some process writes the run now. */
export function isLocked(root: string): boolean {
  const file = path.join(root, 'run.lock');
  return isOwned(file, read(file));
}

/** Some process executes the run now: one that only grades it is none. */
export function isExecuted(root: string): boolean {
  const file = path.join(root, 'run.lock');
  // Read once: it may be removed at any time.
  const text = read(file);
  return isOwned(file, text) && text.split('\n')[2] !== ('grade' satisfies LockPurpose);
}

function isOwned(file: string, text: string): boolean {
  const owner = ownerOf(text);
  return owner === process.pid ? held.has(file) : isAlive(owner);
}

/** NaN where the text is no lock's. */
function ownerOf(text: string): number {
  return Number.parseInt(text, 10);
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
