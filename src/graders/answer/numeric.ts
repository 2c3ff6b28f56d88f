/** The number that a response gives as its answer: the last labelled number, otherwise the last one outside brackets, otherwise the last. */
import type { Checker, ExpectedNumber } from '../../cases/index.ts';
import { findNumbers, type NumberRead, withoutMarkdown, writtenOut } from '../../cases/index.ts';
import { type CheckResult, fail, passIf } from './check-result.ts';
import { lastNumberWord } from './number-words.ts';
import { lastMatches } from './read-option.ts';

const LABEL =
  /(?:\b(?:answer|result|solution|total)\b(?:\s+(?!because\b|since\b|if\b|when\b)[^\s.!?:=\d]{1,30}){0,8}?\s*(?:\b(?:is|was|would be|should be|must be|equals|comes to)\b|[:=≈→⇒]|->)|\\boxed\{|####)/gi;
/** Large enough for rounding in the last digit of a double, too small for a wrong digit. */
const DEFAULT_REL_TOL = 1e-9;

export function checkNumeric(
  response: string,
  expected: ExpectedNumber,
  checker: Partial<Extract<Checker, { kind: 'numeric' }>> = {},
): CheckResult {
  const found = givenNumber(response);
  const shown = expected.isPercent ? `${expected.value}%` : expected.value;
  if (!found) return fail({ reason: 'The response contains no number.', expected: shown });
  const isRight = readings(found, expected).some(([said, right]) => isClose(said, right, checker));
  const reason = isRight ? `The response says ${found.text}.` : `The response says ${found.text}, not ${shown}.`;
  return passIf(isRight, { reason, found: found.value, expected: shown });
}

export function givenNumber(response: string): Pick<NumberRead, 'value' | 'isPercent' | 'text'> | undefined {
  const text = withoutCounting(writtenOut(withoutMarkdown(response)));
  const numbers = findNumbers(text);
  const said = numbers.filter((number) => !isConfidence(text, number));
  const last = labelled(text, said) ?? outsideBrackets(text, said).at(-1) ?? said.at(-1) ?? numbers.at(-1);
  if (last) return last;
  const word = lastNumberWord(text);
  return word === undefined ? undefined : { value: word, isPercent: false, text: String(word) };
}

/** "I am 90% sure", "confidence: 0.9". */
function isConfidence(text: string, { start, end }: NumberRead): boolean {
  return (
    /^ ?(?:sure|certain|confident|confidence|likely|probability)\b/i.test(text.slice(end, end + 14)) ||
    /\b(?:confidence|certainty|probability)(?:\s(?:level|score))?\s?(?:[:=]|is|of)?\s?$/i.test(
      text.slice(Math.max(0, start - 30), start),
    )
  );
}

/** "42 (see 7)" and "42[1]" say 42: a remark or the mark of a footnote is no answer where there is another number. */
function outsideBrackets(text: string, numbers: readonly NumberRead[]): NumberRead[] {
  let depth = 0;
  let at = 0;
  return numbers.filter(({ start }) => {
    for (; at < start; at++) {
      if (/[([【]/.test(text.charAt(at))) depth++;
      else if (/[)\]】]/.test(text.charAt(at))) depth = Math.max(0, depth - 1);
    }
    return depth === 0;
  });
}

function labelled(text: string, numbers: readonly NumberRead[]): NumberRead | undefined {
  for (const { index, 0: label } of lastMatches(text, LABEL).reverse()) {
    const found = afterLabel(text, numbers, index + label.length);
    if (found) return found;
  }
  return undefined;
}

/** In the sentence after a label: the number after the last equals sign, otherwise the first number. */
function afterLabel(text: string, numbers: readonly NumberRead[], from: number): NumberRead | undefined {
  const begin = from + (/^[\s$*([{:]*/.exec(text.slice(from, from + 50))?.[0].length ?? 0);
  const sentence = /^[^\n]*?(?=[.!?;](?:\s|$)|\n|$)/.exec(text.slice(begin, begin + 300))?.[0] ?? '';
  const inside = numbers.filter(({ start }) => start >= from && start < begin + sentence.length);
  const equals = begin + sentence.lastIndexOf('=');
  return inside.find(({ start }) => start > equals && equals >= begin) ?? inside[0];
}

/** "1. …", "2. …" at the start of lines number the steps; they are not answers. */
function withoutCounting(text: string): string {
  const marks = [...text.matchAll(/^[ \t]{0,9}(?:step\s+)?(\d{1,3})[.):][ \t]+(?=\S)/gim)];
  const isCounting =
    marks.length > 1 && marks.every(([, digits], index) => Number(digits) === Number(marks[0]?.[1]) + index);
  if (!isCounting) return text;
  return text.replace(/^[ \t]{0,9}(?:step\s+)?\d{1,3}[.):][ \t]+(?=\S)/gim, (mark) => ' '.repeat(mark.length));
}

/**
 * 25 % is 0.25, and if only one side has the sign, also 25, because people leave it out. Below 1 only the first counts: who expects 0.12
 * expects a share, and 0.12 % is another one.
 */
function readings(found: { value: number; isPercent: boolean }, expected: ExpectedNumber): [number, number][] {
  if (found.isPercent === expected.isPercent) return [[found.value, expected.value]];
  const asShare: [number, number] = found.isPercent
    ? [found.value / 100, expected.value]
    : [found.value, expected.value / 100];
  return Math.abs(expected.value) < 1 ? [asShare] : [asShare, [found.value, expected.value]];
}

export function isClose(
  said: number,
  right: number,
  { abs_tol = 0, rel_tol }: { abs_tol?: number | undefined; rel_tol?: number | undefined },
): boolean {
  const tolerance = Math.max(abs_tol, (rel_tol ?? DEFAULT_REL_TOL) * Math.abs(right));
  return said === right || Math.abs(said - right) <= tolerance * (1 + 1e-12);
}
