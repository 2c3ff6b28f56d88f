/** The date that a response gives, as precise as the expected one: for `2024-03` any day of that month is right. */
import { type Checker, type DateRead, findDates, findYears, iso, parseDate } from '../../cases/index.ts';
import { type CheckResult, checkError, fail, passIf } from './check-result.ts';
import { givenValue } from './given-value.ts';

const PARTS = ['year', 'month', 'day'] as const;

export function checkDate(
  response: string,
  expected: string,
  { order }: Partial<Extract<Checker, { kind: 'date' }>> = {},
): CheckResult {
  const right = parseDate(expected, order);
  if (!right) return checkError('The expected answer is not a date.');
  if (right.problem !== undefined) return checkError(`The expected answer is not clear: ${right.problem}.`);
  const isYear = right.month === undefined;
  const given = givenValue<DateRead>(response, {
    name: 'date',
    find: (text) => {
      const dates = findDates(text, order);
      return isYear && dates.length === 0 ? findYears(text) : dates;
    },
    isSame: (a, b) => PARTS.every((part) => a[part] === b[part]),
  });
  if ('problem' in given) return fail({ reason: given.problem, expected: iso(right) });
  const { value } = given;
  const found = iso(value);
  const missing = PARTS.find((part) => right[part] !== undefined && value[part] === undefined);
  if (missing !== undefined)
    return fail({ reason: `The date of the response has no ${missing}.`, found, expected: iso(right) });
  const isRight = PARTS.every((part) => right[part] === undefined || right[part] === value[part]);
  const reason = isRight ? `The response says ${found}.` : `The response says ${found}, not ${iso(right)}.`;
  return passIf(isRight, { reason, found, expected: iso(right) });
}
