/** From what was asked for to a run that can be executed. Nothing is started and nothing is written here. */
import type { QuestionChoices, QuestionRun } from './resolve-questions.ts';
import { resolveTasks, type TaskChoices, type TaskRun } from './resolve-tasks.ts';

export type RunChoices = TaskChoices | QuestionChoices;
export type ResolvedRun = TaskRun | QuestionRun;

/**
 * @example
 * const run = await resolveRun({ tasks: ['tasks/'], server: 'playwright', trials: 3, version: '1.0.0' });
 * using store = new FolderRunStore('runs/today');
 * await executeRun(run, { store });
 */
export async function resolveRun(choices: TaskChoices): Promise<TaskRun>;
export async function resolveRun(choices: QuestionChoices): Promise<QuestionRun>;
export async function resolveRun(choices: RunChoices): Promise<ResolvedRun> {
  if (!('dataset' in choices)) return resolveTasks(choices);
  // Loads models and checkers, which tasks do not need.
  const { resolveQuestions } = await import('./resolve-questions.ts');
  return resolveQuestions(choices);
}

/** The same run under the name and time of an earlier plan: to resume it. */
export function resumedAs<R extends ResolvedRun>(
  run: R,
  { runId, createdAt }: { runId: string; createdAt: number },
): R {
  return { ...run, plan: { ...run.plan, runId, createdAt } };
}
