/** The duration that a response gives, in any units, within a tolerance in seconds or as a share of the expected one. */
import { type Checker, type DurationRead, findDurations, parseDuration } from '../../cases/index.ts';
import { type CheckResult, checkError, fail, passIf } from './check-result.ts';
import { givenValue } from './given-value.ts';
import { isClose } from './numeric.ts';

export function checkDuration(
  response: string,
  expected: unknown,
  options: Partial<Extract<Checker, { kind: 'duration' }>> = {},
): CheckResult {
  const right = parseDuration(expected, options.clock);
  if (!right) return checkError('The expected answer is not a duration.');
  if (right.problem !== undefined) return checkError(`The expected answer is not clear: ${right.problem}.`);
  const given = givenValue<DurationRead>(response, {
    name: 'duration',
    find: (text) => findDurations(text, options.clock),
    isSame: (a, b) => isClose(a.seconds, b.seconds, {}),
  });
  if ('problem' in given) return fail({ reason: given.problem, expected: right.text });
  const { seconds, text } = given.value;
  const isRight = isClose(seconds, right.seconds, options);
  const reason = isRight ? `The response says ${text}.` : `The response says ${text}, not ${right.text}.`;
  return passIf(isRight, { reason, found: text, expected: right.text });
}
