/** One cell of a run to its grade. The folder and the database use the same. */

import { checkerOf } from '../../cases/index.ts';
import { checkItem, type JudgeProvider, judgeItem, skipped } from '../../graders/index.ts';
import type { CallContext } from '../../models/index.ts';
import type { NewGrade, PendingItem } from './pending-item.ts';
import { planGrading } from './plan-grading.ts';

const NOT_GRADED = {
  not_answered: 'There is no answer to score.',
  unscorable: 'The item has neither answer nor criteria.',
  item_gone: 'The item is not there any more.',
} as const;

/** Where the item can't be graded through no fault of the answer: its own grade says so, and the others are graded. */
export function gradingError(id: string, attempt: number, reason: string): NewGrade {
  return { id, attempt, method: 'none', judge: null, value: null, verdict: 'error', detail: { reason } };
}

/** `judge` where only a judge can tell. */
export function gradeItem({ item, attempt, status, response }: PendingItem): NewGrade | 'judge' {
  const [planned] = planGrading([{ id: item.id, status, response }], [item]).grades;
  if (!planned || planned.by === 'none') {
    return {
      id: item.id,
      attempt,
      method: 'none',
      judge: null,
      ...skipped(NOT_GRADED[planned?.reason ?? 'item_gone']),
    };
  }
  if (planned.by === 'judge') return 'judge';
  return {
    id: item.id,
    attempt,
    method: checkerOf(item)?.kind ?? 'none',
    judge: null,
    ...checkItem(item, planned.response),
  };
}

/** Ends in a row always, with the verdict `error` where the judge failed. */
export async function judgePending(
  { item, attempt, response }: PendingItem,
  provider: JudgeProvider,
  context: CallContext,
): Promise<NewGrade> {
  return {
    id: item.id,
    attempt,
    method: 'judge',
    ...(await judgeItem({ item, response: response ?? '' }, provider, context)),
  };
}
