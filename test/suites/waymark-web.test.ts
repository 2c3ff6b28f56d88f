/** Waymark Web: half of the oracles of a seed, and the whole check of a few tasks. All tasks and five seeds: `npm run check:web`. */
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { waymark } from '../cli/command-line.ts';
import { CommandSandbox, NOTHING_LEFT } from '../episode/command.ts';
import { MINUTES, outcomesOf } from './web-ten.ts';

const suite = path.resolve(import.meta.dirname, '../../suites/waymark-web');
const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());

test(
  'oracles of a seed pass, each by its pages, its answer and the state of its own instance',
  async () => {
    const sample = ['--seeds', '6', '--sample', '30', '--seed', '2'];
    const ran = await sandbox.run([suite, ...sample, '--no-screenshots', '--concurrency', '2']);
    const outcomes = outcomesOf(ran.out);
    expect(outcomes.filter((line) => !line.endsWith(': passed'))).toEqual([]);
    expect(outcomes.length).toBe(30);
  },
  4 * MINUTES,
);

test(
  'some tasks pass their whole check: second solution, doing nothing, near misses',
  async () => {
    const only = ['shop-weight', 'tracker-drag', 'desk-role', 'mail-visit'];
    const ids = only.map((id) => `${id}-s3`).join(',');
    const { code, out } = await waymark(
      ['check', suite, '--seeds', '3', '--task', ids, '--concurrency', '2', '--json'],
      sandbox.folder,
    );
    const { tasks } = JSON.parse(out) as {
      tasks: { taskId: string; findings: { severity: string; message: string }[] }[];
    };
    const errors = tasks.flatMap(({ taskId, findings }) =>
      findings.filter(({ severity }) => severity === 'error').map(({ message }) => `${taskId}: ${message}`),
    );
    expect(errors).toEqual([]);
    expect(tasks.length).toBe(only.length);
    expect(code).toBe(0);
  },
  4 * MINUTES,
);

test('no process, profile or server folder is left', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
