/** How an item can be scored: by a checker, by a judge, or not at all. */
import type { Checker } from './checker-schema.ts';
import type { Item } from './item.ts';
import { isMeasurable } from './measure.ts';

export type ScoringMethod = 'programmatic' | 'judge_required' | 'unscorable';

export function scoringMethod(item: Item): ScoringMethod {
  const checker = checkerOf(item);
  if (checker === undefined) return 'unscorable';
  return checker.kind === 'judge' ? 'judge_required' : 'programmatic';
}

/** The item's own checker, or the default of its type; undefined if the item does not define a correct answer. */
export function checkerOf(item: Item): Checker | undefined {
  const checker = item.checker ?? byType(item);
  return checker !== undefined && isMeasurable({ checker, expected: item.answer }) ? checker : undefined;
}

function byType({ type, answer, criteria }: Item): Checker | undefined {
  if (type === 'judge') return { kind: 'judge' };
  if (isNothing(answer)) return criteria === undefined ? undefined : { kind: 'judge' };
  if (type === 'mcq_single') return { kind: 'choice' };
  if (type === 'mcq_multi') return { kind: 'multi_choice' };
  if (type === 'numeric') return { kind: 'numeric' };
  if (type === 'regex') return { kind: 'regex' };
  // With criteria in addition to an answer, the same letters are not enough.
  return criteria === undefined ? { kind: 'exact' } : { kind: 'judge' };
}

function isNothing(answer: Item['answer']): boolean {
  return answer === undefined || answer === null;
}
