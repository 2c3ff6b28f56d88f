import { expect, test } from 'vitest';
import type { JournalEvent } from '../events/index.ts';
import { WarningFold } from './run-warnings.ts';

const look = (page: string): JournalEvent => ({ type: 'evidence', page }) as JournalEvent;
const picture = (ok: boolean, timedOut = false): JournalEvent =>
  ({ type: 'screenshot', ok, ...(timedOut ? { timedOut } : {}) }) as JournalEvent;

test('looks and pictures that got no answer in time are one line of the run, with counts and tasks', () => {
  const warnings = new WarningFold();
  warnings.add({ taskId: 'a', warnings: ['server: a note'] });
  warnings.addLooks('a', [look('ok'), picture(true), look('unresponsive'), picture(false, true)]);
  warnings.addLooks('b', [look('dialog'), picture(false)]);
  warnings.addLooks('c', [look('unresponsive')]);
  expect(warnings.list()).toEqual([
    {
      text: 'harness: 2 of 4 looks and 1 of 3 pictures got no answer in time: a page hung, or the machine was too busy for this many attempts at once',
      taskIds: ['a', 'c'],
    },
    { text: 'server: a note', taskIds: ['a'] },
  ]);
});

test('a picture that there is none of for another reason is not lost', () => {
  const warnings = new WarningFold();
  warnings.addLooks('a', [look('ok'), look('dialog'), look('navigating'), picture(false)]);
  expect(warnings.list()).toEqual([]);
});
