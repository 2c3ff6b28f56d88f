import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTask } from '../tasks/task.ts';
import { importTasks, TASK_FORMATS } from './import-tasks.ts';

const SITES = Object.fromEntries(
  ['SHOPPING', 'SHOPPING_ADMIN', 'REDDIT', 'GITLAB', 'MAP', 'WIKIPEDIA'].map((name) => [
    name,
    `http://${name.toLowerCase()}.test`,
  ]),
);
const rowsOf = (format: string): unknown[] =>
  JSON.parse(readFileSync(new URL(`../../../test/graders/benchmarks/${format}.json`, import.meta.url), 'utf8'));

/** The value with another one at a place that the numbers choose. */
function changedAt(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return other;
  const keys = Object.keys(value);
  const key = keys[first % Math.max(1, keys.length)];
  if (key === undefined) return other;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
  Reflect.set(copy, key, changedAt(Reflect.get(value, key), rest, other));
  return copy;
}

test.each(TASK_FORMATS)('a damaged row of %s never throws, and what becomes a task can be run', (format) => {
  const rows = rowsOf(format);
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.nat(rows.length - 1), path, fc.jsonValue({ maxDepth: 3 }), (index, at, other) => {
      const { tasks, notPortable, invalid } = importTasks(
        JSON.stringify([changedAt(rows[index], at, other)]),
        format,
        SITES,
      );
      expect(tasks.length + notPortable.length + invalid.length).toBe(1);
      for (const { task } of tasks) expect(parseTask(task).ok).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('rows of lines are named by line, rows of an array by their number', () => {
  expect(importTasks('\n{"task_id": 1}\n', 'webarena', {}).invalid.map(({ place }) => place)).toEqual(['line 2']);
  expect(importTasks('[{}, 2]', 'webarena', {}).invalid.map(({ place }) => place)).toEqual(['row 0', 'row 1']);
  expect(importTasks('\uFEFF[]', 'webarena', {})).toEqual({ tasks: [], notPortable: [], invalid: [] });
});
