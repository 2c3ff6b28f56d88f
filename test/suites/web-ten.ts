/** Where the suite web-ten is, and how its tests run it. */
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { CommandSandbox, NOTHING_LEFT, readReport } from '../episode/command.ts';

export const suite = path.resolve(import.meta.dirname, '../../suites/web-ten');
export const FAST = ['--no-screenshots', '--concurrency', '4'];
export const MINUTES = 60_000;

/** `task: status  reason`, sorted, so that a failure says what there is to know. */
export function outcomesOf(out: string): string[] {
  return readReport(out)
    .episodes.map(({ taskId, status, reason }) => `${taskId}: ${status}${status === 'passed' ? '' : `  ${reason}`}`)
    .sort();
}

/** The oracles on another tool server: the same transcripts, the same verdicts. A file for each server, so that they run side by side. */
export function testOraclesOn(server: string): void {
  const sandbox = new CommandSandbox();
  afterAll(() => sandbox[Symbol.dispose]());

  test(
    `the oracles pass on ${server}, four attempts at once`,
    async () => {
      const ids = (await loadTasks([suite])).map(({ task }) => task.id);
      const ran = await sandbox.run([suite, '--server', server, ...FAST]);
      expect(outcomesOf(ran.out)).toEqual(ids.map((id) => `${id}: passed`));
    },
    6 * MINUTES,
  );

  test('no process, profile or server folder is left', () => {
    expect(sandbox.left()).toEqual(NOTHING_LEFT);
  });
}
