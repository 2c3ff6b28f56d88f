/** Where the suite web-ten is, and how its tests run it. */
import path from 'node:path';
import { readReport } from '../episode/command.ts';

export const suite = path.resolve(import.meta.dirname, '../../suites/web-ten');
export const FAST = ['--no-screenshots', '--concurrency', '4'];
export const MINUTES = 60_000;

/** `task: status  reason`, sorted, so that a failure says what there is to know. */
export function outcomesOf(out: string): string[] {
  return readReport(out)
    .episodes.map(({ taskId, status, reason }) => `${taskId}: ${status}${status === 'passed' ? '' : `  ${reason}`}`)
    .sort();
}
