import { cpSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockRun } from '../folder/run-lock.ts';
import { FolderIndex } from './folder-index.ts';
import { reportCounts } from './report-counts.ts';

const OLD = path.resolve(import.meta.dirname, '../../../test/old-data/runs');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-index-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a folder is read once, and again when its report has changed', () => {
  const root = path.join(folder, 'run');
  cpSync(path.join(OLD, 'passed-with-pictures'), root, { recursive: true });
  const index = new FolderIndex(() => [root, path.join(folder, 'none')]);
  const [first, ...others] = index.entries();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ kind: 'agent', state: 'ended', planned: 1, counts: { passed: 1, counted: 1 } });
  expect(index.entries()[0]?.counts).toBe(first?.counts);
  {
    using _lock = lockRun(root);
    expect(index.entries()[0]?.state).toBe('running');
  }
  {
    using _lock = lockRun(root, 'grade');
    expect(index.entries()[0]?.state).toBe('ended');
  }
  const report = path.join(root, 'report.json');
  writeFileSync(
    report,
    '{\n  "summary": {\n    "passed": 0,\n    "planned": 1,\n    "finished": 1,\n    "outcomes": {\n      "env_error": 1\n    }\n  }\n}\n',
  );
  utimesSync(report, new Date(), new Date(0));
  expect(index.entries()[0]?.counts).toEqual({ passed: 0, counted: 1, done: 1, left: 0, faults: 1 });
});

test('the numbers of a report are read from its beginning', () => {
  expect(reportCounts(path.join(OLD, 'two-tasks-two-trials/report.json'))).toMatchObject({ counted: 4 });
  expect(reportCounts(path.join(folder, 'no-report.json'))).toBeUndefined();
});
