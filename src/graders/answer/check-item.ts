/** Checks one response against one item, with the item's checker. */
import type { Item } from '../../cases/index.ts';
import { checkerOf, parseExpected, resolveOption } from '../../cases/index.ts';
import { type CheckResult, checkError, skipped } from './check-result.ts';
import { checkChoice } from './choice.ts';
import { checkContains } from './contains.ts';
import { checkExact } from './exact.ts';
import { checkJson } from './json.ts';
import { checkMultiChoice } from './multi-choice.ts';
import { checkNumeric } from './numeric.ts';
import { checkRegex } from './regex.ts';

/** `skipped` if no checker can decide, for example because the item needs a judge. */
export function checkItem(item: Item, response: string): CheckResult {
  const checker = checkerOf(item);
  if (checker === undefined) return skipped('The item has neither answer nor criteria.');
  const { answer, choices = [] } = item;
  const text =
    typeof answer === 'string' ? answer : answer === undefined || answer === null ? undefined : String(answer);
  switch (checker.kind) {
    case 'judge':
      return skipped('The item needs a judge.');
    case 'exact':
      return checkExact(response, [...(text === undefined ? [] : [text]), ...(checker.accept ?? [])], checker);
    case 'contains':
      return checkContains(response, text, checker);
    case 'choice': {
      const right = text === undefined ? undefined : resolveOption(text, choices);
      return right === undefined
        ? checkError('The answer is not an option of the item.')
        : checkChoice(response, choices, right);
    }
    case 'multi_choice': {
      const right = (Array.isArray(answer) ? answer : []).map((one) => resolveOption(String(one), choices));
      const known = new Set(right.filter((index) => index !== undefined));
      if (known.size === 0 || known.size < right.length)
        return checkError('The answer is not a set of options of the item.');
      return checkMultiChoice(response, choices, known, checker.threshold);
    }
    case 'numeric': {
      const expected = parseExpected(answer);
      return expected ? checkNumeric(response, expected, checker) : checkError('The answer is not a number.');
    }
    case 'regex':
      return checkRegex(response, checker.pattern ?? text ?? '', checker);
    case 'json':
      return checkJson(response, answer, checker);
  }
}
