/** Browsers of runs that were killed: the ledger knows them, and they are ended here. */
import type { Check } from './check.ts';

export function checkOrphans(reap: () => readonly { pids: readonly number[] }[]): Check {
  const row = { id: 'orphans', title: 'Left behind', required: true } as const;
  try {
    const reaped = reap();
    const processes = reaped.flatMap(({ pids }) => pids).length;
    const found =
      reaped.length === 0
        ? 'no browsers of killed runs'
        : `cleaned up after killed runs: profiles removed ${reaped.length}, processes ended ${processes}`;
    return { ...row, status: 'ok', found, details: { profiles: reaped.length, processes } };
  } catch {
    // The state folder's own row says why.
    return {
      ...row,
      status: 'warning',
      found: 'not known: the ledger could not be read',
      fix: 'See the state folder.',
    };
  }
}
