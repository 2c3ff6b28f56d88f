/** One process writes a run. After a kill -9 the lock stays, and names a process that is gone. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';

export function lockRun(root: string): Disposable {
  const file = path.join(root, 'run.lock');
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    // The lock exists: whether its owner is alive decides.
    const owner = Number(read(file));
    if (isAlive(owner)) {
      throw new WaymarkError({
        code: 'usage_run_busy',
        message: `The run ${root} is being written by process ${owner}.`,
        hint: `Wait for it to end, or stop it. If that process is something else, remove ${file}.`,
      });
    }
    writeFileSync(file, String(process.pid));
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The owner has released the lock meanwhile.
    return '';
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
