/** From what was asked for to a run that can be executed. Nothing is started and nothing is written here. */
import { resolveTasks, type TaskChoices, type TaskRun } from './resolve-tasks.ts';

export type RunChoices = TaskChoices;
export type ResolvedRun = TaskRun;

/**
 * @example
 * const run = await resolveRun({ tasks: ['tasks/'], server: 'playwright', trials: 3, version: '1.0.0' });
 * using store = new FolderRunStore('runs/today');
 * await executeRun(run, { store });
 */
export async function resolveRun(choices: RunChoices): Promise<ResolvedRun> {
  return resolveTasks(choices);
}

/** The same run under the name and time of an earlier plan: to resume it. */
export function resumedAs(run: ResolvedRun, { runId, createdAt }: { runId: string; createdAt: number }): ResolvedRun {
  return { ...run, plan: { ...run.plan, runId, createdAt } };
}
