/** What a launch would ask, before anything is written. The prompts are those of a pack, so that a captured page and a model answer the same. */
import type { Dataset, Item } from '../../cases/index.ts';
import { scoringMethod } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { agreedJudge } from '../grading/agreed-judge.ts';
import type { Judge } from '../grading/judge-choice.ts';
import type { ProviderRef } from '../grading/judge-for-run.ts';
import { itemWarnings } from './item-warnings.ts';
import type { LaunchRequest } from './launch-request.ts';
import { type Excluded, FOR_RUN, selectItems } from './select-items.ts';

export interface LaunchPlan {
  readonly items: readonly Item[];
  readonly excluded: readonly Excluded[];
  readonly judge: Judge | null;
  readonly scoring: { readonly programmatic: number; readonly judge_required: number; readonly unscorable: number };
  readonly warnings: readonly Warning[];
}

/** @throws WaymarkError when the scope or the judge can't be used. */
export function planLaunch(
  dataset: Dataset,
  request: Omit<LaunchRequest, 'provider_id' | 'dataset_id'>,
  judgeProvider: ProviderRef | undefined,
): LaunchPlan {
  const { items, excluded, beyondMax } = selectItems(dataset, request, FOR_RUN);
  const methods = items.map(scoringMethod);
  const needJudge = items.filter((_, index) => methods[index] === 'judge_required');
  const judge = agreedJudge(request.judge, needJudge, judgeProvider);
  const count = (method: string): number => methods.filter((one) => one === method).length;
  return {
    items,
    excluded,
    judge,
    scoring: {
      programmatic: count('programmatic'),
      judge_required: needJudge.length,
      unscorable: count('unscorable'),
    },
    warnings: itemWarnings(items, FOR_RUN, {
      excluded: excluded.length,
      beyondMax,
      judgeUnused: judge !== null && needJudge.length === 0,
    }),
  };
}
