/** Checks that the folders are writable and have enough free space. */
import { accessSync, constants, existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { STATE_VARIABLE } from '../../chromium/index.ts';
import { messageOf } from '../../errors/index.ts';
import { type Check, problem } from './check.ts';

const GB = 1024 ** 3;
/** A run of a thousand episodes with screenshots is around half a gigabyte. */
const ENOUGH = 2 * GB;
const TOO_LITTLE = 0.2 * GB;

/** It contains temporary profiles and the process registry. */
export function checkStateFolder(folder: () => string): Check {
  const row = { id: 'state_folder', title: 'State folder', required: true } as const;
  try {
    const where = folder();
    // Writes a file, because permission bits do not apply to root and do not show a full or read-only disk.
    const probe = path.join(where, `.doctor-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
    return { ...row, status: 'ok', found: `${where} is writable`, details: { path: where } };
  } catch (thrown) {
    const check = problem(row.id, row.title, thrown);
    return { ...check, fix: `Set ${STATE_VARIABLE} to a folder that you can write to.` };
  }
}

/** `.waymark` in the working folder contains the runs; the first run creates it. */
export function checkRunFolder(cwd: string): Check {
  const row = { id: 'run_folder', title: 'Run folder', required: true } as const;
  const folder = path.join(cwd, '.waymark');
  const there = existsSync(folder);
  try {
    accessSync(there ? folder : cwd, constants.W_OK | constants.X_OK);
    return {
      ...row,
      status: 'ok',
      found: there ? `${folder} is writable` : `${folder} can be created`,
      details: { path: folder },
    };
  } catch (thrown) {
    return {
      ...row,
      status: 'problem',
      found: `${there ? folder : cwd} is not writable: ${messageOf(thrown)}`,
      fix: 'Run waymark in a folder that you can write to.',
      details: { path: folder },
    };
  }
}

export function checkDisk(cwd: string, freeBytes: (folder: string) => number = free): Check {
  const bytes = freeBytes(cwd);
  const found = `${(bytes / GB).toFixed(1)} GB free in ${cwd}`;
  const row = { id: 'disk', title: 'Disk', required: true, found, details: { freeBytes: bytes } } as const;
  if (bytes >= ENOUGH) return { ...row, status: 'ok' };
  const fix = 'Free some space: screenshots and journals of a thousand episodes take about half a gigabyte.';
  return { ...row, status: bytes < TOO_LITTLE ? 'problem' : 'warning', fix };
}

function free(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
