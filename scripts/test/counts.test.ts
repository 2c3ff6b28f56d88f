import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCounts } from './counts.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-counts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(
  numbers: { passed?: number; failed?: number; pending?: number; todo?: number },
  testResults: unknown[] = [],
): string {
  const file = path.join(folder, 'report.json');
  const { passed = 0, failed = 0, pending = 0, todo = 0 } = numbers;
  const body = {
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    testResults,
  };
  writeFileSync(file, JSON.stringify(body));
  return file;
}

test('passed, failed and skipped are read; a todo is skipped', () => {
  expect(readCounts(report({ passed: 5, failed: 2, pending: 1, todo: 1 }), false)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 2,
  });
});

test('a file that could not be loaded counts as one failure, one with failed tests does not count twice', () => {
  const loaded = { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] };
  const notLoaded = { status: 'failed', assertionResults: [] };
  expect(readCounts(report({ passed: 1, failed: 1 }, [loaded, notLoaded]), false)).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
  });
});

test('a failed run never counts zero failures', () => {
  expect(readCounts(report({ passed: 3 }), false).failed).toBe(1);
  expect(readCounts(path.join(folder, 'none.json'), false)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
