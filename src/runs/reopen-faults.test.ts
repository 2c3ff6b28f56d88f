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
