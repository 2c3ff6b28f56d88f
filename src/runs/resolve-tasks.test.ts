import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveTasks, type TaskChoices } from './resolve-tasks.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-resolve-'));
afterAll(() => rmSync(folder, { recursive: true }));

const task = (id: string, more: object) => ({
  id,
  title: id,
  startUrl: 'http://fixtures.waymark.test/',
  goal: 'Look.',
  success: { kind: 'no_dialog' },
  ...more,
});
const TASKS = path.join(folder, 'tasks.jsonl');
writeFileSync(
  TASKS,
  [
    task('a', { tags: ['read', 'fast'], category: 'shop' }),
    task('b', { tags: ['read'], category: 'mail' }),
    task('c', { tags: ['fast'] }),
  ]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join(''),
);
const REPLAYED = path.join(folder, 'replayed.json');
writeFileSync(REPLAYED, JSON.stringify(task('r', { network: { mode: 'replay', recording: 'not-there.json' } })));

const chosen = async (choices: Partial<TaskChoices>): Promise<string[]> => {
  const agent = { kind: 'test', make: () => ({ kind: 'test', run: async () => ({}) }) };
  return [...(await resolveTasks({ tasks: [TASKS], agent, version: '0', ...choices })).tasks.keys()];
};

test('tasks are chosen by id, tag and category, and by all of them together', async () => {
  expect(await chosen({})).toEqual(['a', 'b', 'c']);
  expect(await chosen({ only: ['c', 'a'] })).toEqual(['a', 'c']);
  expect(await chosen({ tags: ['fast'] })).toEqual(['a', 'c']);
  expect(await chosen({ categories: ['shop', 'mail'] })).toEqual(['a', 'b']);
  expect(await chosen({ tags: ['read'], categories: ['mail'] })).toEqual(['b']);
});

test('a name that no task has, and a choice that nothing fits, are refused', async () => {
  await expect(chosen({ only: ['x'] })).rejects.toThrow('There is no task "x".');
  await expect(chosen({ tags: ['slow'] })).rejects.toThrow('No task has the tag "slow".');
  await expect(chosen({ categories: ['news'] })).rejects.toThrow('No task has the category "news".');
  await expect(chosen({ only: ['c'], categories: ['shop'] })).rejects.toThrow('No task fits all that was asked for.');
});

test('a recording that is not there is found before anything starts', async () => {
  await expect(chosen({ tasks: [REPLAYED] })).rejects.toMatchObject({ code: 'recording_unreadable' });
});
