/** Why a stored run needs attention: the run itself first, then its scoring, then single items or attempts. */
import type { schema } from '../../store/index.ts';

interface Stored {
  datasetId: string | null;
  status: (typeof schema.RUN_STATUSES)[number];
  statusReason: string | null;
  gradingStatus: (typeof schema.GRADING_STATUSES)[number];
  gradingReason: string | null;
  itemCount: number;
  counts: Readonly<Record<string, number>>;
  faultyCells: number | null;
}

export function storedProblem(run: Stored): string | null {
  if (run.status === 'failed') return run.statusReason ?? 'No reason was recorded.';
  if (['failed', 'blocked', 'partial'].includes(run.gradingStatus))
    return run.gradingReason ?? 'No reason was recorded.';
  if (run.status !== 'completed') return null;
  if (run.datasetId === null)
    return run.faultyCells
      ? `${run.faultyCells} of ${run.itemCount} ended by a fault that was not the agent’s, or could not be begun.`
      : null;
  const errored = run.counts['errored'] ?? 0;
  if (errored === 0) return null;
  return `${errored} of ${run.itemCount} ${run.itemCount === 1 ? 'item' : 'items'} ended with an error.`;
}
