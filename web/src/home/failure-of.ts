import type { Run } from '../api/queries.ts';
import { count } from '../ui/format.ts';

export interface RunFailure {
  what: 'status' | 'scoring' | 'items';
  reason: string;
}

type Failed = Pick<Run, 'status' | 'status_reason' | 'scoring_status' | 'scoring_reason' | 'counts' | 'item_count'>;

/** Why a run is among those that failed: the run itself first, then its scoring, then single items. */
export function failureOf(run: Failed): RunFailure {
  if (run.status === 'failed') return { what: 'status', reason: run.status_reason ?? 'No reason was recorded.' };
  if (['failed', 'blocked', 'partial'].includes(run.scoring_status))
    return { what: 'scoring', reason: run.scoring_reason ?? 'No reason was recorded.' };
  return {
    what: 'items',
    reason: `${run.counts['errored'] ?? 0} of ${count(run.item_count, 'item')} ended with an error.`,
  };
}
