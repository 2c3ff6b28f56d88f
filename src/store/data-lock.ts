/**
 * One process for one data folder. Two PGlites on one folder lose rows without a word.
 * An exclusive transaction of SQLite on `<folder>.lock` is held by the operating system: it is gone when its process is,
 * whatever ended it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { messageOf, WaymarkError } from '../errors/index.ts';

export interface DataLock {
  release(): void;
}

const holderSchema = z.object({ pid: z.int(), since: z.iso.datetime() });

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
  // Beside the database, not in the lock: a reader is locked out of that.
  const holder = { pid: process.pid, since: new Date().toISOString() };
  writeFileSync(holderFile(folder), JSON.stringify(holder));
  return { release: () => database.close() };
}

function holderFile(folder: string): string {
  return path.join(folder, 'holder.json');
}

function heldBy(folder: string): WaymarkError {
  let who = 'another process';
  try {
    const { pid, since } = holderSchema.parse(JSON.parse(readFileSync(holderFile(folder), 'utf8')));
    who = `process ${pid}, since ${since}`;
  } catch {
    // The holder has not written its name yet.
  }
  return new WaymarkError({
    code: 'data_locked',
    message: `The data folder ${folder} is in use by ${who}.`,
    hint: 'Talk to that server by its API, end it first, or give this one a folder of its own with --data.',
  });
}
