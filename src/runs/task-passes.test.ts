import { expect, test } from 'vitest';
import { isExpired, TaskPasses } from './task-passes.ts';

const quarantine = { reason: 'Flaky.', until: '2026-11-30' };

test('a task that finished twice and never passed is listed; one that passed once, or failed once, is not', () => {
  const passes = new TaskPasses();
  for (const [taskId, success] of [
    ['a', false],
    ['b', false],
    ['b', true],
    ['a', false],
  ] as const)
    passes.add({ taskId, success });
  passes.add({ taskId: 'c', success: false });
  passes.add({ taskId: 'c', success: false, interrupted: true });
  expect(passes.never()).toEqual(['a']);
});

test('tasks that are counted apart are named once, with what came of them', () => {
  const passes = new TaskPasses();
  passes.add({ taskId: 'a', success: true });
  passes.add({ taskId: 'a', success: false });
  const cells = [
    { caseId: 'a', trial: 1, attempts: 1, quarantine },
    { caseId: 'a', trial: 2, attempts: 1, quarantine },
    { caseId: 'b', trial: 1, attempts: 0, quarantine },
    { caseId: 'c', trial: 1, attempts: 1 },
  ];
  expect(passes.quarantined(cells)).toEqual([
    { taskId: 'a', ...quarantine, finished: 2, passed: 1 },
    { taskId: 'b', ...quarantine, finished: 0, passed: 0 },
  ]);
});

test('a quarantine lasts until the end of its day, by the day of the run', () => {
  expect(isExpired(quarantine, Date.parse('2026-11-30T23:59:59Z'))).toBe(false);
  expect(isExpired(quarantine, Date.parse('2026-12-01T00:00:00Z'))).toBe(true);
});
