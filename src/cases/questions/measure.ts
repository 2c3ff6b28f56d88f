/** What an answer is measured by: a checker and the right answer. Questions have one, and so have `answer` graders of tasks. */
import type { Checker } from './checker-schema.ts';
import { parseExpected } from './expected-number.ts';
import { letterOf, resolveOption } from './options.ts';
import { patternProblem } from './pattern.ts';
import { parseAmount } from './read-amount.ts';
import { parseDate } from './read-date.ts';
import { parseDistance } from './read-distance.ts';
import { parseDuration } from './read-duration.ts';
import { readUrl } from './read-url.ts';

export interface Measure {
  readonly checker: Checker;
  /** The right answer. For kinds that compare one value, a list means that each of its entries is right. */
  readonly expected?: unknown;
  /** The options of `choice` and `multi_choice`. */
  readonly choices?: readonly string[] | undefined;
}

/** The kinds for which a list of answers is a list of alternatives. */
export const ONE_VALUE: ReadonlySet<Checker['kind']> = new Set([
  'exact',
  'numeric',
  'url',
  'date',
  'currency',
  'duration',
  'distance',
]);

const MAX_ELEMENTS = 200;

/** Whether the checker can decide at all; a `judge` decides elsewhere. */
export function isMeasurable({ checker, expected }: Measure): boolean {
  switch (checker.kind) {
    case 'judge':
      return true;
    case 'regex':
      return checker.pattern !== undefined || typeof expected === 'string';
    case 'contains':
      return (
        checker.all !== undefined || checker.any !== undefined || checker.none !== undefined || !isNothing(expected)
      );
    case 'exact':
      return checker.accept !== undefined || !isNothing(expected);
    case 'json':
      // `null` is a valid JSON answer.
      return expected !== undefined;
    default:
      return !isNothing(expected);
  }
}

/** What is wrong with the right answer, as the rest of a sentence; undefined where the checker can use it. */
export function expectedProblem(measure: Measure): string | undefined {
  const { checker, expected } = measure;
  if (isNothing(expected)) return undefined;
  if (ONE_VALUE.has(checker.kind) && Array.isArray(expected)) {
    if (expected.length === 0) return 'must not be an empty list';
    return expected.map((one) => expectedProblem({ ...measure, expected: one ?? [] })).find((one) => one !== undefined);
  }
  return problemOfKind(measure);
}

function problemOfKind({ checker, expected, choices = [] }: Measure): string | undefined {
  const unless = (isRight: boolean, problem: string): string | undefined => (isRight ? undefined : problem);
  const options = choices.map((choice, index) => `${letterOf(index)} (${choice.slice(0, 30)})`).join(', ');
  switch (checker.kind) {
    case 'judge':
    case 'json':
      return undefined;
    case 'choice': {
      const isOption = typeof expected === 'string' && resolveOption(expected, choices) !== undefined;
      return unless(isOption, `must be the letter or the text of an option: ${options}`);
    }
    case 'multi_choice': {
      const all = (Array.isArray(expected) ? expected : []).map((one) =>
        typeof one === 'string' ? resolveOption(one, choices) : undefined,
      );
      const isSet = all.length > 0 && !all.includes(undefined) && new Set(all).size === all.length;
      return unless(isSet, `must be a list of letters or texts of options, each once: ${options}`);
    }
    case 'numeric':
      return unless(
        parseExpected(expected) !== undefined,
        'must be a number, or a text that is one, such as 3/4 or 25%',
      );
    case 'regex': {
      if (checker.pattern !== undefined) return unless(isText(expected), 'must be a text or a number');
      return typeof expected === 'string' ? patternProblem(expected) : 'must be a pattern when no checker has one';
    }
    case 'url': {
      const read = typeof expected === 'string' ? readUrl(expected) : undefined;
      return unless(read !== undefined, 'must be the address of a web page');
    }
    case 'date': {
      const read = typeof expected === 'string' ? parseDate(expected, checker.order) : undefined;
      return read
        ? read.problem && `is not clear: ${read.problem}`
        : 'must be a date, such as 2024-03-04, or a month or year';
    }
    case 'currency': {
      const read = parseAmount(expected, checker.decimal);
      return read
        ? read.problem && `is not clear: ${read.problem}`
        : 'must be an amount of money, such as 12.5 or "$12.50"';
    }
    case 'duration': {
      const read = parseDuration(expected, checker.clock);
      return read
        ? read.problem && `is not clear: ${read.problem}`
        : 'must be a duration, such as "1 h 30 min", or seconds';
    }
    case 'distance':
      return unless(parseDistance(expected) !== undefined, 'must be a distance, such as "2.5 km", or metres');
    case 'list':
      return listProblem(expected, checker.items);
    default:
      return unless(isText(expected), 'must be a text or a number');
  }
}

function listProblem(expected: unknown, items: Checker = { kind: 'exact' }): string | undefined {
  if (!Array.isArray(expected)) return 'must be a list';
  if (expected.length > MAX_ELEMENTS) return `has more than ${MAX_ELEMENTS} elements`;
  for (const [index, one] of expected.entries()) {
    const problem = one === undefined ? 'is missing' : expectedProblem({ checker: items, expected: one });
    if (problem !== undefined) return `has an element (${index}) that ${problem}`;
  }
  return undefined;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
