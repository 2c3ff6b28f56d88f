/** Removes run folders that are no longer needed. */
import { rmSync } from 'node:fs';
import { sampleOfRun } from '../compare/sample-of-run.ts';
import { newestRuns } from '../folder/newest-runs.ts';
import { readRunFile } from '../folder/run-file.ts';
import { isLocked } from '../folder/run-lock.ts';
import { recordedFolder } from '../recorded-run.ts';
import { type PrunableRun, type PruneChoices, type Pruned, prune } from './prune-choices.ts';

interface FolderRun extends PrunableRun {
  readonly root: string;
}

/** @param runs the folder that holds them. */
export async function pruneFolders(runs: string, choices: PruneChoices): Promise<Pruned> {
  const found = newestRuns(runs)
    .map(runAt)
    .sort((a, b) => b.createdAt - a.createdAt);
  return await prune(found, choices, {
    classesOf: async ({ root }) =>
      (await sampleOfRun(recordedFolder(root))).trials.map(({ outcome }) => outcome ?? 'env_error'),
    remove: async ({ root }) => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  });
}

function runAt(root: string): FolderRun {
  const { plan } = readRunFile(root);
  const busy = isLocked(root) ? 'it is being written' : undefined;
  return { root, runId: plan.runId, createdAt: plan.createdAt, busy };
}
