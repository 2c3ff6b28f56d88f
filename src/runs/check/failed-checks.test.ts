import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failedCheck, keepFailedChecks } from './failed-checks.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-checks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const hash = 'a'.repeat(64);
const record = (...rules: string[]) => [{ taskId: 'login', hash, rules }];

test('a failed check is kept until a whole one finds nothing', () => {
  expect(failedCheck(folder, hash)).toBeUndefined();
  keepFailedChecks(folder, record('start_passes', 'no_op_passes', 'start_passes'), false);
  expect(failedCheck(folder, hash)).toEqual(['no_op_passes', 'start_passes']);
  keepFailedChecks(folder, record(), false);
  expect(failedCheck(folder, hash)).toEqual(['no_op_passes', 'start_passes']);
  keepFailedChecks(folder, record(), true);
  expect(failedCheck(folder, hash)).toBeUndefined();
});

test('a hash that is a path leads nowhere', () => {
  writeFileSync(path.join(folder, 'x.json'), JSON.stringify({ format: 'waymark.failed-check.v1' }));
  expect(failedCheck(path.join(folder, 'inner'), '../x')).toBeUndefined();
});
