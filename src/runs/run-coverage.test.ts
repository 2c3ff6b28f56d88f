import { expect, test } from 'vitest';
import { ReportFold } from './report.ts';
import { CoverageFold, unfinishedText } from './run-coverage.ts';

const cells = [
  { caseId: 'a', trial: 1, attempts: 1 },
  { caseId: 'a', trial: 2, attempts: 1 },
  { caseId: 'b', trial: 1, attempts: 1, notBegun: { reason: 'No server.', outcome: 'server_error' as const } },
  { caseId: 'c', trial: 1, attempts: 0 },
  { caseId: 'd', trial: 1, attempts: 0 },
];

test('everything that was planned is finished, interrupted, not begun or pending, with its name', () => {
  const fold = new CoverageFold();
  fold.add({ taskId: 'a', trial: 1 });
  fold.add({ taskId: 'a', trial: 2, interrupted: true });
  const coverage = fold.of(cells);
  expect(coverage).toEqual({
    planned: 5,
    finished: 1,
    interrupted: 1,
    notBegun: 1,
    pending: 2,
    unfinished: { interrupted: ['a (trial 2)'], notBegun: ['b'], pending: ['c', 'd'] },
  });
  expect(unfinishedText(coverage)).toBe(
    '4 of 5 have not finished: 1 interrupted (a (trial 2)), 1 not begun (b), 2 pending (c, d)',
  );
});

test('a run that has finished names nothing', () => {
  const fold = new CoverageFold();
  fold.add({ taskId: 'a', trial: 1 });
  const coverage = fold.of(cells.slice(0, 1));
  expect(coverage).toEqual({ planned: 1, finished: 1, interrupted: 0, notBegun: 0, pending: 0 });
  expect(unfinishedText(coverage)).toBeUndefined();
});

test('what could not be begun is in its outcome class, and everything planned is in the strict rate', () => {
  const { outcomes, strict, episodes } = new ReportFold().summary(cells);
  expect(outcomes).toEqual({ server_error: 1 });
  expect([strict.passed, strict.of, episodes]).toEqual([0, 5, 5]);
});
