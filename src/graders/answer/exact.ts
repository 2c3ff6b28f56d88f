/**
 * The response equals the answer, except for Unicode form, case, Markdown emphasis, quotes around it and final punctuation. Where the
 * response labels its answer ("Final answer: Tokyo"), what stands after the label may be it.
 */
import {
  type Checker,
  compileTextPattern,
  fold,
  isTextPattern,
  looseForm,
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
    if (!(options.patterns && isTextPattern(answer))) continue;
    const compiled = compileTextPattern(answer, { ignoreCase: !options.case_sensitive });
    if (!compiled.ok) return checkError(`The pattern cannot be used: ${compiled.problem}`);
    const tried = said.map((text) => compiled.pattern.test(text));
    if (tried.includes(true)) return passIf(true, { reason: 'The response matches.', expected });
    if (tried.includes(undefined)) return checkError('The response is too long for this pattern.');
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
