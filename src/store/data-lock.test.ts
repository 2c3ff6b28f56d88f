import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockData } from './data-lock.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'waymark-lock-')));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}.lock`, { force: true });
});

const holderFile = path.join(folder, 'holder.json');

/** Takes the lock in a process of its own, which ends without releasing it. */
function lockElsewhere(): string {
  const script = `import { lockData } from ${JSON.stringify(path.join(import.meta.dirname, 'data-lock.ts'))};
    try { lockData(${JSON.stringify(folder)}); console.log('locked'); } catch (error) { console.log(error.code); }
    process.exit();`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
}

test('a folder is held by one process, whether its lock file is there or was deleted', () => {
  const lock = lockData(folder);
  expect(lockElsewhere()).toBe('data_locked');
  rmSync(`${folder}.lock`);
  // The second try finds the lock file that the first one made.
  for (const _ of [1, 2]) expect(lockElsewhere()).toBe('data_locked');
  expect(() => lockData(folder)).toThrow(`The data folder ${folder} is in use by process ${process.pid}, since `);
  lock.release();
  expect(lockElsewhere()).toBe('locked');
});

test('a process that ended without releasing it holds nothing, even where the lock file is gone or its number was given again', () => {
  expect(lockElsewhere()).toBe('locked');
  rmSync(`${folder}.lock`);
  const holder = JSON.parse(readFileSync(holderFile, 'utf8')) as object;
  // Another process has its number now: this one.
  writeFileSync(holderFile, JSON.stringify({ ...holder, pid: process.pid }));
  lockData(folder).release();
  expect(lockElsewhere()).toBe('locked');
});

test('what version 0.1.0 wrote of its holder is no reason to refuse', () => {
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }));
  lockData(folder).release();
});
