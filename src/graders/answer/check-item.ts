/** Checks one response against one item, with the item's checker. */
import { checkerOf, type Item } from '../../cases/index.ts';
import { checkAnswer } from './check-answer.ts';
import { type CheckResult, skipped } from './check-result.ts';

/** `skipped` if no checker can decide, for example because the item needs a judge. */
export function checkItem(item: Item, response: string): CheckResult {
  const checker = checkerOf(item);
  if (checker === undefined) return skipped('The item has neither answer nor criteria.');
  return checkAnswer({ checker, expected: item.answer, choices: item.choices }, response);
}
