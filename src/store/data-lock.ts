/**
 * One process for one data folder. Two PGlites on one folder lose rows without a word.
 * An exclusive transaction of SQLite on `<folder>.lock` is held by the operating system: it is gone when its process is,
 * whatever ended it. A lock file can be deleted while it is held, and another process would then lock a new one: so the folder itself says
 * which file is locked and by which process. While that process is alive, its file can't be another file of the same number.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { processFacts } from '../chromium/processes.ts';
import { messageOf, WaymarkError } from '../errors/index.ts';

export interface DataLock {
  release(): void;
}

const holderSchema = z.object({
  pid: z.int(),
  since: z.iso.datetime(),
  /** The number of the locked file, and when the process began: version 0.1.0 wrote neither. */
  lockFile: z.string().optional(),
  processStart: z.string().optional(),
});
type Holder = z.infer<typeof holderSchema>;

/** `folder` exists, and is a real path: two names of one folder must meet at one lock. */
export function lockData(folder: string): DataLock {
  const file = `${folder}.lock`;
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if (!/locked|busy/i.test(messageOf(cause))) {
      throw new WaymarkError({
        code: 'data_lock_failed',
        message: `The lock ${file} can't be taken: ${messageOf(cause)}.`,
        hint: 'Is the folder on a disk of this machine, and may you write there?',
        cause,
      });
    }
    throw heldBy(folder);
  }
  const lockFile = String(statSync(file, { bigint: true }).ino);
  const before = readHolder(folder);
  if (before && before.lockFile !== lockFile && isAlive(before)) {
    database.close();
    throw heldBy(folder);
  }
  // Beside the database, not in the lock: a reader is locked out of that.
  const holder: Holder = {
    pid: process.pid,
    since: new Date().toISOString(),
    lockFile,
    processStart: processFacts(process.pid)?.startedAt,
  };
  writeFileSync(holderFile(folder), JSON.stringify(holder));
  return {
    release: () => {
      // First, so that it never names a process that does not hold the folder any more.
      rmSync(holderFile(folder), { force: true });
      database.close();
    },
  };
}

/** Whether the very process that took the folder still runs: a later one may have got its number. */
function isAlive({ pid, lockFile, processStart }: Holder): boolean {
  if (lockFile === undefined || processStart === undefined) return false;
  return processFacts(pid)?.startedAt === processStart;
}

function holderFile(folder: string): string {
  return path.join(folder, 'holder.json');
}

/** Undefined where nobody has written its name yet. */
function readHolder(folder: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(readFileSync(holderFile(folder), 'utf8')));
  } catch {
    return undefined;
  }
}

function heldBy(folder: string): WaymarkError {
  const holder = readHolder(folder);
  const who = holder ? `process ${holder.pid}, since ${holder.since}` : 'another process';
  return new WaymarkError({
    code: 'data_locked',
    message: `The data folder ${folder} is in use by ${who}.`,
    hint: 'Talk to that server by its API, end it first, or give this one a folder of its own with --data.',
  });
}
