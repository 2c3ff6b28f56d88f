/** The questions of a dataset that a pack or a run is made of, how each can be graded, and what people should know before anything is asked. */
import { type Dataset, type Item, scoringMethod } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { itemWarnings } from './item-warnings.ts';
import { type Excluded, type Purpose, type Scope, selectItems } from './select-items.ts';

export interface ChosenQuestions {
  readonly items: readonly Item[];
  readonly excluded: readonly Excluded[];
  /** Those that no checker can grade. */
  readonly needJudge: readonly Item[];
  /** How many of them can be graded in which way. */
  readonly scoring: { readonly programmatic: number; readonly judge_required: number; readonly unscorable: number };
  readonly warnings: readonly Warning[];
}

/** @throws WaymarkError when the scope can't be used. */
export function chooseQuestions(
  dataset: Dataset,
  scope: Scope,
  purpose: Purpose,
  { hasJudge }: { hasJudge: boolean },
): ChosenQuestions {
  const { items, excluded, beyondMax } = selectItems(dataset, scope, purpose);
  const scoring = { programmatic: 0, judge_required: 0, unscorable: 0 };
  const needJudge: Item[] = [];
  for (const item of items) {
    const method = scoringMethod(item);
    scoring[method] += 1;
    if (method === 'judge_required') needJudge.push(item);
  }
  const about = { excluded: excluded.length, beyondMax, judgeUnused: hasJudge && needJudge.length === 0 };
  return { items, excluded, needJudge, scoring, warnings: itemWarnings(items, purpose, about) };
}
