/** One item of a run to one row of scores. */

import { checkerOf } from '../../cases/index.ts';
import { checkItem, type JudgeProvider, judgeItem, skipped } from '../../graders/index.ts';
import type { CallContext } from '../../models/index.ts';
import { planScoring } from '../answers/plan-scoring.ts';
import type { NewScore, PendingItem } from './pending-item.ts';

const NOBODY = {
  not_answered: 'There is no answer to score.',
  unscorable: 'The item has neither answer nor criteria.',
  item_gone: 'The item is not there any more.',
} as const;

/** `judge` where only a judge can tell. */
export function scoreItem({ item, status, response }: PendingItem): NewScore | 'judge' {
  const [planned] = planScoring([{ id: item.id, status, response }], [item]).scores;
  if (!planned || planned.by === 'nobody') {
    return { id: item.id, method: 'none', judge: null, ...skipped(NOBODY[planned?.reason ?? 'item_gone']) };
  }
  if (planned.by === 'judge') return 'judge';
  return { id: item.id, method: checkerOf(item)?.kind ?? 'none', judge: null, ...checkItem(item, planned.response) };
}

/** Ends in a row always, with the verdict `error` where the judge failed. */
export async function judgePending(
  { item, response }: PendingItem,
  provider: JudgeProvider,
  context: CallContext,
): Promise<NewScore> {
  return { id: item.id, method: 'judge', ...(await judgeItem({ item, response: response ?? '' }, provider, context)) };
}
