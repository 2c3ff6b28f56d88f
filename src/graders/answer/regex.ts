/** A pattern that the response matches, anywhere unless `full` is set. */
import type { Checker } from '../../cases/index.ts';
import { matchPattern } from '../../cases/index.ts';
import { type CheckResult, checkError, passIf, quote } from './check-result.ts';

export function checkRegex(
  response: string,
  pattern: string,
  { flags = '', full = false }: Partial<Extract<Checker, { kind: 'regex' }>> = {},
): CheckResult {
  const matched = matchPattern(pattern, flags, full ? response.trim() : response, full);
  if (!matched.ok) return checkError(`The pattern could not be tried: ${matched.problem}.`);
  const reason = matched.isMatch ? 'The response matches.' : 'The response does not match.';
  return passIf(matched.isMatch, { reason, expected: quote(pattern) });
}
