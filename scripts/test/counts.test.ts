import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCounts, readFailures, readSlowest } from './counts.ts';

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

test('a file that could not be loaded counts as one failure; a file with failed tests does not count twice', () => {
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

test('failures are named with their file and the first lines of the reason, files that could not be loaded too', () => {
  const reason = `AssertionError: one\n${'at somewhere\n'.repeat(40)}`;
  const failed = { status: 'failed', fullName: 'adds up', failureMessages: [reason] };
  const file = report({ failed: 1 }, [
    {
      name: '/repository/test/a.test.ts',
      status: 'failed',
      assertionResults: [failed, { status: 'passed', fullName: 'fine' }],
    },
    { name: '/repository/test/b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
    {
      name: '/repository/test/c.test.ts',
      status: 'passed',
      assertionResults: [{ status: 'passed', fullName: 'fine' }],
    },
  ]);
  const failures = readFailures(file, '/repository');
  expect(failures.map((text) => text.split('\n').slice(0, 2))).toEqual([
    ['test/a.test.ts > adds up', '    AssertionError: one'],
    ['test/b.test.ts', '    no such module'],
  ]);
  expect(failures[0]?.split('\n')).toHaveLength(13);
  expect(readFailures(path.join(folder, 'none.json'), '/repository')).toEqual([]);
});

test('the slowest files come first, with their seconds', () => {
  const took = (name: string, ms: number) => ({
    name: `/repository/test/${name}.test.ts`,
    status: 'passed',
    startTime: 1_000,
    endTime: 1_000 + ms,
    assertionResults: [],
  });
  const many = Array.from({ length: 20 }, (_, n) => took(`quick-${n}`, n));
  const slowest = readSlowest(report({}, [took('a', 1_234), took('b', 65_000), ...many]), '/repository');
  expect(slowest.slice(0, 2)).toEqual(['  65.0  test/b.test.ts', '   1.2  test/a.test.ts']);
  expect(slowest).toHaveLength(15);
});
