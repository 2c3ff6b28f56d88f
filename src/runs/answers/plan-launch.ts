/** What a launch would ask, before anything is written. The prompts are those of a pack, so that a captured page and a model answer the same. */
import type { Dataset } from '../../cases/index.ts';
import { agreedJudge } from '../grading/agreed-judge.ts';
import type { Judge } from '../grading/judge-choice.ts';
import type { ProviderRef } from '../grading/judge-for-run.ts';
import { type ChosenQuestions, chooseQuestions } from './choose-questions.ts';
import type { LaunchRequest } from './launch-request.ts';
import { FOR_RUN } from './select-items.ts';

export interface LaunchPlan extends ChosenQuestions {
  readonly judge: Judge | null;
}

/** @throws WaymarkError when the scope or the judge can't be used. */
export function planLaunch(
  dataset: Dataset,
  request: Omit<LaunchRequest, 'provider_id' | 'dataset_id'>,
  judgeProvider: ProviderRef | undefined,
): LaunchPlan {
  const chosen = chooseQuestions(dataset, request, FOR_RUN, { hasJudge: Boolean(request.judge) });
  return { ...chosen, judge: agreedJudge(request.judge, chosen.needJudge, judgeProvider) };
}
