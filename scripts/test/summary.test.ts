import { expect, test } from 'vitest';
import { summary } from './summary.ts';

test('a table, the verdict, and the sum as the last line', () => {
  const lines = summary([
    { name: 'types', ok: true, seconds: 1.23 },
    { name: 'imports', ok: false, seconds: 0.5 },
    { name: 'unit', ok: true, seconds: 10, counts: { passed: 10, failed: 0, skipped: 0 } },
    { name: 'flows', ok: false, seconds: 100.04, counts: { passed: 5, failed: 2, skipped: 1 } },
  ]);
  expect(lines).toEqual([
    '',
    'stage    result  seconds  tests',
    'types    ok          1.2',
    'imports  FAILED      0.5',
    'unit     ok         10.0  10 passed, 0 failed',
    'flows    FAILED    100.0  5 passed, 2 failed, 1 skipped',
    '',
    'failed: imports, flows',
    '15 passed, 2 failed, 1 skipped',
  ]);
});

test('without skipped tests there is no count of them', () => {
  const lines = summary([{ name: 'unit', ok: true, seconds: 1, counts: { passed: 3, failed: 0, skipped: 0 } }]);
  expect(lines.slice(-2)).toEqual(['all stages ok', '3 passed, 0 failed']);
});
