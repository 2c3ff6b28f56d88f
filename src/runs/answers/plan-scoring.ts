/** What scoring a run has to do, item by item, before anything is done. */
import type { Item } from '../../cases/index.ts';
import { scoringMethod } from '../../cases/index.ts';

export interface RunItem {
  readonly id: string;
  readonly status: 'answered' | 'error' | 'missing';
  readonly response: string | null;
}

export type PlannedScore =
  | { readonly id: string; readonly by: 'checker'; readonly response: string }
  | { readonly id: string; readonly by: 'judge'; readonly response: string }
  | { readonly id: string; readonly by: 'nobody'; readonly reason: 'not_answered' | 'unscorable' | 'item_gone' };

export interface ScoringPlan {
  readonly scores: readonly PlannedScore[];
  readonly needsJudge: boolean;
}

/** A capture's error or a missing item is not a wrong answer: nobody scores it. */
export function planScoring(runItems: readonly RunItem[], items: readonly Item[]): ScoringPlan {
  const byId = new Map(items.map((item) => [item.id, item]));
  const scores = runItems.map(({ id, status, response }): PlannedScore => {
    const item = byId.get(id);
    if (!item) return { id, by: 'nobody', reason: 'item_gone' };
    if (status !== 'answered' || response === null) return { id, by: 'nobody', reason: 'not_answered' };
    const method = scoringMethod(item);
    if (method === 'unscorable') return { id, by: 'nobody', reason: 'unscorable' };
    return { id, by: method === 'judge_required' ? 'judge' : 'checker', response };
  });
  return { scores, needsJudge: scores.some(({ by }) => by === 'judge') };
}
