import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseTask } from '../src/cases/index.ts';
import { taskJsonSchema } from './task-json-schema.ts';

const file = new URL('../schemas/task.schema.json', import.meta.url);

test('schemas/task.schema.json is current (if not: node scripts/make-task-schema.ts)', () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(taskJsonSchema())));
});

test('requires only the fields without a default', () => {
  const { required, properties } = taskJsonSchema() as {
    required: string[];
    properties: Record<string, { default?: unknown; description?: string }>;
  };
  expect(required).toEqual(['id', 'title', 'startUrl', 'goal', 'success']);
  expect(properties['maxSteps']?.default).toBe(30);
  expect(properties['maxDurationMs']?.default).toBe(120_000);
  expect(Object.values(properties).filter(({ description }) => !description)).toEqual([]);
});

test.each([
  ['a whole task', {}, true],
  ['an unknown field', { colour: 'red' }, false],
  ['a cap over the maximum', { maxSteps: 101 }, false],
  ['an unknown kind of assertion', { success: { kind: 'dom_txt', contains: 'x' } }, false],
  ['an unknown field deep in the contract', { success: { kind: 'not', child: { kind: 'no_dialog', x: 1 } } }, false],
])('agrees with the validator: %s', (_name, changes, ok) => {
  const task = {
    id: 'a',
    title: 'A',
    startUrl: 'https://example.com/',
    goal: 'Look.',
    success: { kind: 'dom_text', contains: 'x' },
    ...changes,
  };
  const schema = z.fromJSONSchema(taskJsonSchema() as Parameters<typeof z.fromJSONSchema>[0]);
  expect(schema.safeParse(task).success).toBe(ok);
  expect(parseTask(task).ok).toBe(ok);
});
