import { expect, test } from 'vitest';
import { WaymarkError } from '../errors/index.ts';
import type { Cell } from '../events/index.ts';
import { reopenFaults } from './reopen-faults.ts';
import type { RunStore } from './run-store.ts';

test('a cell whose journal is damaged is tried once more; the run goes on', async () => {
  const reopened: Cell[] = [];
  const store: Pick<RunStore, 'cells' | 'events' | 'reopen'> = {
    async *cells() {
      yield { caseId: 'damaged', trial: 1, state: 'finished', attempts: [{ attempt: 1, finished: true }] };
    },
    // biome-ignore lint/correctness/useYield: it fails before its first event.
    async *events() {
      throw new WaymarkError({ code: 'journal_corrupt', message: 'The journal is damaged at line 5.' });
    },
    reopen: async (_runId, cells) => {
      reopened.push(...cells);
    },
  };
  await reopenFaults(store as RunStore, 'run-1');
  expect(reopened).toEqual([{ caseId: 'damaged', trial: 1 }]);
});

test.each([
  ['server', true],
  ['browser', true],
  ['adapter', true],
  [undefined, false],
] as const)('an attempt that ended by a fault of %s is tried once more: %s', async (cause, isTriedAgain) => {
  const reopened: Cell[] = [];
  const store: Pick<RunStore, 'cells' | 'events' | 'reopen'> = {
    async *cells() {
      yield { caseId: 'a', trial: 1, state: 'finished', attempts: [{ attempt: 1, finished: true }] };
    },
    async *events() {
      const status = cause === undefined ? 'failed' : cause === 'adapter' ? 'adapter_error' : 'tool_error';
      yield { type: 'stop', seq: 0, time: 0, status, reason: '', ...(cause && { cause }) };
    },
    reopen: async (_runId, cells) => {
      reopened.push(...cells);
    },
  };
  await reopenFaults(store as RunStore, 'run-1');
  expect(reopened).toHaveLength(isTriedAgain ? 1 : 0);
});
