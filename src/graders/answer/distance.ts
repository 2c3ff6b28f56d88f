/** The distance that a response gives, in any unit, within a tolerance in metres or as a share of the expected one. */
import { type Checker, type DistanceRead, findDistances, parseDistance } from '../../cases/index.ts';
import { type CheckResult, checkError, fail, passIf } from './check-result.ts';
import { givenValue } from './given-value.ts';
import { isClose } from './numeric.ts';

export function checkDistance(
  response: string,
  expected: unknown,
  options: Partial<Extract<Checker, { kind: 'distance' }>> = {},
): CheckResult {
  const right = parseDistance(expected);
  if (!right) return checkError('The expected answer is not a distance.');
  const given = givenValue<DistanceRead>(response, {
    name: 'distance',
    find: findDistances,
    isSame: (a, b) => isClose(a.metres, b.metres, {}),
  });
  if ('problem' in given) return fail({ reason: given.problem, expected: right.text });
  const { metres, text } = given.value;
  const isRight = isClose(metres, right.metres, options);
  const reason = isRight ? `The response says ${text}.` : `The response says ${text}, not ${right.text}.`;
  return passIf(isRight, { reason, found: text, expected: right.text });
}
