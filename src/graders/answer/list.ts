/** The elements that a response lists, against those of the answer: as a sequence, or as a set in which each counts as often as it stands there. */
import type { Checker } from '../../cases/index.ts';
import { asText } from './as-text.ts';
import { type CheckAnswer, type CheckResult, checkError, fail, passIf, quote } from './check-result.ts';
import { pairUp } from './pair-up.ts';
import { listReadings } from './split-list.ts';

type ListOptions = Partial<Extract<Checker, { kind: 'list' }>>;

const MAX_TEXT = 100_000;
const MAX_ELEMENTS = 200;

export function checkList(
  response: string,
  expected: readonly unknown[],
  options: ListOptions,
  check: CheckAnswer,
): CheckResult {
  if (expected.length > MAX_ELEMENTS) return checkError(`The answer has more than ${MAX_ELEMENTS} elements.`);
  if (response.length > MAX_TEXT) return fail({ reason: `The response is longer than ${MAX_TEXT} characters.` });
  let first: CheckResult | undefined;
  for (const said of listReadings(response, options.separator)) {
    const result = compare(said, expected, options, check);
    if (result.verdict !== 'fail') return result;
    first ??= result;
  }
  return first ?? fail({ reason: 'The response contains no list.' });
}

function compare(
  said: readonly unknown[],
  right: readonly unknown[],
  { ordered = false, subset = false, items = { kind: 'exact' } }: ListOptions,
  check: CheckAnswer,
): CheckResult {
  const found = said.slice(0, 20).map((one) => quote(asText(one), 60));
  const expected = right.slice(0, 20).map((one) => quote(asText(one), 60));
  const isWrongLength = subset ? said.length < right.length : said.length !== right.length;
  if (isWrongLength || said.length > MAX_ELEMENTS) {
    const reason = `The response has ${said.length} elements, and the answer ${right.length}.`;
    return fail({ reason, found, expected });
  }
  let error: CheckResult | undefined;
  const isEqual = (one: unknown, wanted: unknown): boolean => {
    if (one === null || wanted === null) return one === wanted;
    const result = check({ checker: items, expected: wanted }, asText(one));
    if (result.verdict === 'error') error ??= result;
    return result.verdict === 'pass';
  };
  const pairs = ordered ? inOrder(said, right, isEqual) : pairUp(right, said, (wanted, one) => isEqual(one, wanted));
  if (error) return error;
  const missing = right.findIndex((_, index) => !pairs.has(index));
  const reason =
    missing < 0
      ? 'The response lists what it should.'
      : `Element ${missing + 1} of the answer is not ${ordered ? 'in its place' : 'in the response'}: ${expected[missing] ?? ''}.`;
  return passIf(missing < 0, { reason, found, expected });
}

/** With more elements than the answer, those of the answer must come in its order. */
function inOrder(
  said: readonly unknown[],
  right: readonly unknown[],
  isEqual: (one: unknown, wanted: unknown) => boolean,
): ReadonlySet<number> {
  const placed = new Set<number>();
  let next = 0;
  for (const one of said) {
    if (next < right.length && isEqual(one, right[next])) placed.add(next++);
    else if (said.length === right.length) break;
  }
  return placed;
}
