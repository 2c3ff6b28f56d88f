/** Waymark Web: the oracles of one seed pass, and a part of its tasks pass their whole check. All tasks and five seeds: `npm run check:web`. */
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import instances from '../../suites/waymark-web/templates.ts';
import { waymark } from '../cli/command-line.ts';
import { CommandSandbox, NOTHING_LEFT } from '../episode/command.ts';
import { MINUTES, outcomesOf } from './web-ten.ts';

const suite = path.resolve(import.meta.dirname, '../../suites/waymark-web');
const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

test(
  'the oracles of a seed pass, each by its pages, its answer and the state of its own instance',
  async () => {
    const ran = await sandbox.run([suite, '--seeds', '6', '--no-screenshots', '--concurrency', '3']);
    expect(outcomesOf(ran.out)).toEqual(
      instances(6)
        .map(({ task }) => `${task.id}: passed`)
        .sort(),
    );
  },
  4 * MINUTES,
);

test(
  'a task of each kind passes its check: second solution, doing nothing, near misses',
  async () => {
    const only = [
      'shop-weight',
      'tracker-drag',
      'wiki-follow',
      'calendar-invitations',
      'shop-retry',
      'desk-role',
      'mail-visit',
    ];
    const ids = only.map((id) => `${id}-s3`).join(',');
    const { code, out } = await waymark(
      ['check', suite, '--seeds', '3', '--task', ids, '--concurrency', '3', '--json'],
      sandbox.folder,
    );
    const { tasks } = JSON.parse(out) as { tasks: { taskId: string; findings: { rule: string; message: string }[] }[] };
    expect(tasks.flatMap(({ taskId, findings }) => findings.map(({ message }) => `${taskId}: ${message}`))).toEqual([]);
    expect(tasks.length).toBe(only.length);
    expect(code).toBe(0);
  },
  4 * MINUTES,
);

test('no process, profile or server folder is left', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
