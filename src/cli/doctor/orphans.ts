/** Ends the browsers that killed runs left behind; the process registry lists them. */
import type { Check } from './check.ts';

export function checkOrphans(reap: () => readonly { pids: readonly number[] }[]): Check {
  const row = { id: 'orphans', title: 'Leftovers', required: true } as const;
  try {
    const reaped = reap();
    const processes = reaped.flatMap(({ pids }) => pids).length;
    const found =
      reaped.length === 0
        ? 'no browsers of killed runs'
        : `cleaned up after killed runs: profiles removed ${reaped.length}, processes ended ${processes}`;
    return { ...row, status: 'ok', found, details: { profiles: reaped.length, processes } };
  } catch {
    // The row of the state folder shows the reason.
    return {
      ...row,
      status: 'warning',
      found: 'unknown: the process registry could not be read',
      fix: 'See the row of the state folder.',
    };
  }
}
