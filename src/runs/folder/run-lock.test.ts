import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockRun } from './run-lock.ts';
import { successorOf } from './whole-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'waymark-lock-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** No process has this number: the largest that Linux gives is 4,194,304. */
const DEAD = '99999999\nleft\n';

test('a lock of a process that is gone is taken over, also where a second one was killed while it took it over', () => {
  const file = path.join(root, 'run.lock');
  writeFileSync(file, DEAD);
  writeFileSync(successorOf(file, DEAD), '99999998\nleft\n');
  {
    using lock = lockRun(root);
    expect(lock.isHeld()).toBe(true);
    expect(readdirSync(root)).toEqual(['run.lock']);
  }
  expect(readdirSync(root)).toEqual([]);
});

test('while another process takes over a lock, it is busy', () => {
  const file = path.join(root, 'run.lock');
  writeFileSync(file, DEAD);
  writeFileSync(successorOf(file, DEAD), `${process.ppid}\nalive\n`);
  expect(() => lockRun(root)).toThrow('is being written by process');
  expect(readdirSync(root)).toHaveLength(2);
});
