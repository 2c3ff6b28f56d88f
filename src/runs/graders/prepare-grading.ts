/** Graders and the model that judges, ready to grade. Everything that can't be used is said here, before anything is graded. */
import { type JudgeBudget, type JudgeLimits, withVotes } from '../../graders/index.ts';
import type { ModelChoice } from '../../models/index.ts';
import { openJudge } from '../open-judge.ts';
import type { Environment } from '../open-run-model.ts';
import { chooseGraders } from './choose-graders.ts';
import type { GradeRunOptions } from './grade-run.ts';
import type { CaseGraders, GraderChoices } from './grader-choices.ts';

export interface GradingChoices extends GraderChoices {
  /** Without it, graders that ask a model are skipped. */
  readonly judge?: ModelChoice | undefined;
  /** How often the model is asked for each verdict; the majority decides. */
  readonly votes?: number | undefined;
  readonly limits?: Partial<JudgeLimits> | undefined;
}

export interface PreparedGrading extends Pick<GradeRunOptions, 'gradersOf' | 'judge'> {
  /** What the model was asked so far, over all grades. */
  readonly used: () => JudgeBudget['used'];
}

export async function prepareGrading(
  cases: readonly CaseGraders[],
  choices: GradingChoices,
  env: Environment,
): Promise<PreparedGrading> {
  const { judge, votes = 1, limits } = choices;
  const chosen = await chooseGraders(cases, choices);
  const opened = judge && (await openJudge(judge, { env, limits }));
  return {
    gradersOf: (attempt) => chosen(attempt).map((grader) => withVotes(grader, votes)),
    ...(opened ? { judge: (keep) => opened.judges.forGrade(keep) } : {}),
    used: () => opened?.budget.used ?? { calls: 0, usd: 0 },
  };
}
