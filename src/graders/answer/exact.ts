/** The response equals the answer, except for Unicode form, case, Markdown emphasis and final punctuation. */
import type { Checker } from '../../cases/index.ts';
import { fold, withoutEndPunctuation, withoutMarkdown } from '../../cases/index.ts';
import { type CheckResult, passIf, quote } from './check-result.ts';

export function checkExact(
  response: string,
  answers: readonly string[],
  { case_sensitive = false }: Partial<Extract<Checker, { kind: 'exact' }>> = {},
): CheckResult {
  const form = (text: string): string => withoutEndPunctuation(fold(withoutMarkdown(text), case_sensitive));
  const said = form(response);
  const isRight = answers.some((answer) => form(answer) === said);
  const reason = isRight ? 'The response is the answer.' : 'The response is not the answer.';
  return passIf(isRight, { reason, found: quote(said), expected: answers.map((answer) => quote(answer)) });
}
