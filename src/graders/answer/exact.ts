/**
 * The response equals the answer, except for Unicode form, case, Markdown emphasis, quotes around it and final punctuation. Where the
 * response labels its answer ("Final answer: Tokyo"), what stands after the label may be it.
 */
import {
  type Checker,
  fold,
  looseForm,
  matchPattern,
  withoutEndPunctuation,
  withoutMarkdown,
} from '../../cases/index.ts';
import { type CheckResult, checkError, passIf, quote } from './check-result.ts';
import { statedAnswer } from './stated-answer.ts';

export type ExactOptions = Partial<Extract<Checker, { kind: 'exact' }>>;

export function checkExact(response: string, answers: readonly string[], options: ExactOptions = {}): CheckResult {
  const form = (text: string): string => exactForm(text, options);
  const plain = withoutMarkdown(response);
  const stated = statedAnswer(plain);
  const said = [...new Set([form(plain), ...(stated === undefined ? [] : [form(stated)])])];
  const expected = answers.map((answer) => quote(answer));
  for (const answer of answers) {
    if (!(options.patterns && isPattern(answer))) continue;
    const tried = said.map((text) => matchPattern(answer, options.case_sensitive ? 's' : 'is', text, true));
    const problem = tried.find((one) => !one.ok);
    if (problem && !problem.ok) return checkError(`The pattern could not be tried: ${problem.problem}.`);
    if (tried.some((one) => one.ok && one.isMatch)) return passIf(true, { reason: 'The response matches.', expected });
  }
  const isRight = answers.some((answer) => said.includes(form(withoutMarkdown(answer))));
  const reason = isRight ? 'The response is the answer.' : 'The response is not the answer.';
  return passIf(isRight, { reason, found: quote(said.at(-1) ?? ''), expected });
}

/** The form in which two texts are compared. */
function exactForm(plain: string, { case_sensitive = false, loose = false }: ExactOptions): string {
  const folded = fold(loose ? looseForm(plain) : plain, case_sensitive);
  return withoutEndPunctuation(withoutQuotes(withoutEndPunctuation(folded)));
}

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '«': '»',
  '„': '“',
  '「': '」',
};

/** One pair, around the whole text. */
function withoutQuotes(text: string): string {
  const close = QUOTES[text.charAt(0)];
  return text.length > 2 && close !== undefined && text.endsWith(close) ? text.slice(1, -1).trim() : text;
}

/** The way in which WebArena-Verified and our request rules write a regular expression. */
function isPattern(answer: string): boolean {
  return answer.length > 2 && answer.startsWith('^') && answer.endsWith('$');
}
