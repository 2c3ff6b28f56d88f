/** Texts that the response must or must not contain. A number is never found inside another one: 0 is not in "10 orders". */
import type { Checker } from '../../cases/index.ts';
import { cutsNumber, fold, withoutMarkdown } from '../../cases/index.ts';
import { type CheckResult, fail, passIf, quote } from './check-result.ts';

type Contains = Extract<Checker, { kind: 'contains' }>;

export function checkContains(
  response: string,
  answer: string | undefined,
  checker: Partial<Contains> = {},
): CheckResult {
  const { any, none = [], case_sensitive = false, whole_words = false } = checker;
  const all = checker.all ?? (any === undefined && none.length === 0 && answer !== undefined ? [answer] : []);
  const form = (text: string): string => fold(withoutMarkdown(text), case_sensitive);
  const said = form(response);
  const has = (text: string): boolean => holds(said, form(text), whole_words);
  const missing = all.filter((text) => !has(text));
  const unwanted = none.filter(has);
  if (missing.length > 0) return fail({ reason: `Not in the response: ${list(missing)}.`, expected: all });
  if (any && !any.some(has)) return fail({ reason: `None of these is in the response: ${list(any)}.`, expected: any });
  if (unwanted.length > 0) return fail({ reason: `In the response, and should not be: ${list(unwanted)}.` });
  return passIf(true, { reason: 'The response contains what it should.', expected: any ?? all });
}

function holds(text: string, part: string, wholeWords: boolean): boolean {
  if (part === '') return false;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    if (cutsNumber(text, at, at + part.length)) continue;
    if (!wholeWords || (isEdge(text, at - 1, at) && isEdge(text, at + part.length - 1, at + part.length))) return true;
  }
  return false;
}

/** Whether two characters do not belong to the same word. */
function isEdge(text: string, left: number, right: number): boolean {
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
  return !(isWord(left) && isWord(right));
}

function list(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(quote(text, 60))).join(', ');
}
