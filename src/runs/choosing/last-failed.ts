/** `--last-failed`: the tasks that did not pass in the newest run of tasks, whatever kept them from it. */
import { WaymarkError } from '../../errors/index.ts';
import type { RunPlan } from '../../events/index.ts';
import { cellKey } from '../cell-key.ts';
import { newestRuns } from '../folder/newest-runs.ts';
import { recordedCells } from '../folder/recorded-cells.ts';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { recordedAttempts, resultOf } from '../recorded-attempts.ts';

/** By their ids. @throws WaymarkError usage_no_run where there is no earlier run. */
export async function lastFailed(runs: string): Promise<string[]> {
  const newest = newestRuns(runs).find((root) => planIn(root)?.variant.kind === 'agent');
  if (newest === undefined)
    throw new WaymarkError({
      code: 'usage_no_run',
      message: `There is no earlier run in ${runs}, so that none of its tasks failed. Nothing was run.`,
      hint: 'Leave out --last-failed.',
    });
  return failedIn(newest, readRunFile(newest));
}

async function failedIn(root: string, run: RunFile): Promise<string[]> {
  const failed = new Map(run.plan.cells.map(({ caseId, trial }) => [cellKey({ caseId, trial }), caseId]));
  for await (const attempt of recordedAttempts(root, recordedCells(root, run)))
    if (resultOf(root, attempt).success) failed.delete(cellKey(attempt));
  return [...new Set(failed.values())];
}

function planIn(root: string): RunPlan | undefined {
  try {
    return readRunFile(root).plan;
  } catch {
    // Written by a later version, or half removed: not a run that can be asked.
    return undefined;
  }
}
