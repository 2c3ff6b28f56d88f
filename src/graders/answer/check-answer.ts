/** Checks one response against the right answer, by its checker. Questions and tasks, and the elements of a list, are checked alike. */
import { isMeasurable, type Measure, ONE_VALUE, parseExpected, resolveOption } from '../../cases/index.ts';
import { asText } from './as-text.ts';
import { type CheckResult, checkError, skipped } from './check-result.ts';
import { checkChoice } from './choice.ts';
import { checkContains } from './contains.ts';
import { checkCurrency } from './currency.ts';
import { checkDate } from './date.ts';
import { checkDistance } from './distance.ts';
import { checkDuration } from './duration.ts';
import { checkExact } from './exact.ts';
import { checkJson } from './json.ts';
import { checkList } from './list.ts';
import { checkMultiChoice } from './multi-choice.ts';
import { checkNumeric } from './numeric.ts';
import { checkRegex } from './regex.ts';
import { checkUrl } from './url.ts';

/** `skipped` where no checker can decide, `error` where the right answer itself can't be used. */
export function checkAnswer(measure: Measure, response: string): CheckResult {
  const { checker, expected } = measure;
  if (checker.kind === 'judge') return skipped('The item needs a judge.');
  if (!isMeasurable(measure)) return skipped('There is no right answer to check against.');
  if (ONE_VALUE.has(checker.kind) && Array.isArray(expected))
    return anyOf(expected.map((one: unknown) => checkAnswer({ ...measure, expected: one }, response)));
  return checkOne(measure, response);
}

function checkOne({ checker, expected, choices = [] }: Measure, response: string): CheckResult {
  const text = expected === undefined || expected === null ? undefined : asText(expected);
  switch (checker.kind) {
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
      const right = (Array.isArray(expected) ? expected : []).map((one) => resolveOption(String(one), choices));
      const known = new Set(right.filter((index) => index !== undefined));
      if (known.size === 0 || known.size < right.length)
        return checkError('The answer is not a set of options of the item.');
      return checkMultiChoice(response, choices, known, checker.threshold);
    }
    case 'numeric': {
      const right = parseExpected(expected);
      return right ? checkNumeric(response, right, checker) : checkError('The answer is not a number.');
    }
    case 'regex':
      return checkRegex(response, checker.pattern ?? text ?? '', checker);
    case 'json':
      return checkJson(response, expected, checker, checkAnswer);
    case 'url':
      return checkUrl(response, text ?? '', checker);
    case 'date':
      return checkDate(response, text ?? '', checker);
    case 'currency':
      return checkCurrency(response, expected, checker);
    case 'duration':
      return checkDuration(response, expected, checker);
    case 'distance':
      return checkDistance(response, expected, checker);
    case 'list':
      return Array.isArray(expected)
        ? checkList(response, expected, checker, checkAnswer)
        : checkError('The answer is not a list.');
    case 'judge':
      return skipped('The item needs a judge.');
  }
}

/** A pass where one of the alternatives passes; otherwise the first that could not be checked, or the first failure. */
function anyOf(results: readonly CheckResult[]): CheckResult {
  const best =
    results.find(({ verdict }) => verdict === 'pass') ??
    results.find(({ verdict }) => verdict === 'error') ??
    results.find(({ verdict }) => verdict === 'fail');
  return best ?? skipped('There is no right answer to check against.');
}
