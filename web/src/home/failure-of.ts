import type { AnyRun } from '../api/queries.ts';

/** Why a run is among those that failed: the run itself first, then its scoring, then single items or attempts. */
export function failureOf({ state, scoring }: Pick<AnyRun, 'state' | 'scoring'>): 'state' | 'scoring' | 'items' {
  if (state === 'failed' || state === 'stopped') return 'state';
  return scoring !== null && ['failed', 'blocked', 'partial'].includes(scoring) ? 'scoring' : 'items';
}
