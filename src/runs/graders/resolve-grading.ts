/** The grading of a run that is about to be executed. The graders are loaded only where the run has some. */
import type { Environment } from '../open-run-model.ts';
import type { CaseGraders } from './grader-choices.ts';
import type { GradingChoices, PreparedGrading } from './prepare-grading.ts';

/** Undefined where there is nothing beside contracts and checkers. A judge of the questions is not meant. */
export async function resolveGrading(
  cases: readonly CaseGraders[],
  choices: GradingChoices = { folder: process.cwd() },
  env: Environment = {},
): Promise<PreparedGrading | undefined> {
  const hasGraders = cases.some(({ graders = [] }) => graders.length > 0) || (choices.graders ?? []).length > 0;
  if (!hasGraders) return undefined;
  const { prepareGrading } = await import('./prepare-grading.ts');
  return prepareGrading(cases, { ...choices, ownToo: true }, env);
}
