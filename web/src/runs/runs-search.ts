/** Filters of the list of runs, in the address. */
import { given, oneOf, textOf } from '../ui/search.ts';

export const SURFACES = ['api', 'browser'] as const;
export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const SCORING_STATUSES = ['none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked'] as const;

export const runsSearch = (search: Record<string, unknown>) =>
  given({
    dataset: textOf(search['dataset']),
    provider: textOf(search['provider']),
    surface: oneOf(SURFACES, search['surface']),
    status: oneOf(RUN_STATUSES, search['status']),
    scoring: oneOf(SCORING_STATUSES, search['scoring']),
  });
export type RunsSearch = ReturnType<typeof runsSearch>;
