/** A suite of one task that fails, in files of its own which a test may change. Its page is a recording. */
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { failingTasks } from '../episode/command.ts';

export const KEPT_CASE = 'fail-wrong-text';

/** The suite's folder. */
export function keepSuite(folder: string): string {
  const suite = path.join(folder, 'kept');
  mkdirSync(suite, { recursive: true });
  for (const name of [`${KEPT_CASE}.task.json`, `transcripts/${KEPT_CASE}.json`])
    cpSync(path.join(failingTasks, name), path.join(suite, name), { recursive: true });
  cpSync(path.join(failingTasks, '../recordings'), path.join(folder, 'recordings'), { recursive: true });
  return suite;
}
