/** What grading a run has to do, item by item, before anything is done. */
import type { Item } from '../../cases/index.ts';
import { scoringMethod } from '../../cases/index.ts';

export interface RunItem {
  readonly id: string;
  readonly status: 'answered' | 'error' | 'missing';
  readonly response: string | null;
}

export type PlannedGrade =
  | { readonly id: string; readonly by: 'checker'; readonly response: string }
  | { readonly id: string; readonly by: 'judge'; readonly response: string }
  | { readonly id: string; readonly by: 'none'; readonly reason: 'not_answered' | 'unscorable' | 'item_gone' };

export interface GradingPlan {
  readonly grades: readonly PlannedGrade[];
  readonly needsJudge: boolean;
}

/** A capture's error or a missing item is not a wrong answer: nothing grades it. */
export function planGrading(runItems: readonly RunItem[], items: readonly Item[]): GradingPlan {
  const byId = new Map(items.map((item) => [item.id, item]));
  const grades = runItems.map(({ id, status, response }): PlannedGrade => {
    const item = byId.get(id);
    if (!item) return { id, by: 'none', reason: 'item_gone' };
    if (status !== 'answered' || response === null) return { id, by: 'none', reason: 'not_answered' };
    const method = scoringMethod(item);
    if (method === 'unscorable') return { id, by: 'none', reason: 'unscorable' };
    return { id, by: method === 'judge_required' ? 'judge' : 'checker', response };
  });
  return { grades, needsJudge: grades.some(({ by }) => by === 'judge') };
}
