import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockRun } from './run-lock.ts';
import { createWhole, replaceWhole } from './whole-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a file is created by one only, and leaves nothing beside it', () => {
  const file = path.join(folder, 'lock');
  expect([createWhole(file, 'a'), createWhole(file, 'b')]).toEqual([true, false]);
  expect(readFileSync(file, 'utf8')).toBe('a');
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('of two that have read the same file, one replaces it, however late the other comes', () => {
  const file = path.join(folder, 'lock');
  writeFileSync(file, 'left behind');
  expect([replaceWhole(file, 'left behind', 'a'), replaceWhole(file, 'left behind', 'b')]).toEqual([true, false]);
  expect(readFileSync(file, 'utf8')).toBe('a');
  expect(readdirSync(folder)).toEqual(['lock']);
});

test('a lock that a killed process left is taken over, by one only', () => {
  // No process has this number: the largest of Linux is 4,194,304.
  writeFileSync(path.join(folder, 'run.lock'), '99999999\n');
  {
    using lock = lockRun(folder);
    expect(lock.isHeld()).toBe(true);
    expect(() => lockRun(folder)).toThrow(`The run ${folder} is being written by process ${process.pid}.`);
  }
  expect(readdirSync(folder)).toEqual([]);
});
