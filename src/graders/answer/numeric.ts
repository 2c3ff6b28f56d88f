/** The number that a response gives as its answer: the last labelled number, otherwise the last number. */
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
  const last = labelled(text, numbers) ?? numbers.at(-1);
  if (last) return last;
  const word = lastNumberWord(text);
  return word === undefined ? undefined : { value: word, isPercent: false, text: String(word) };
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

/** 25 % is 0.25, and if only one side has the sign, also 25, because people leave it out. */
function readings(found: { value: number; isPercent: boolean }, expected: ExpectedNumber): [number, number][] {
  if (found.isPercent === expected.isPercent) return [[found.value, expected.value]];
  if (found.isPercent)
    return [
      [found.value / 100, expected.value],
      [found.value, expected.value],
    ];
  return [
    [found.value, expected.value / 100],
    [found.value, expected.value],
  ];
}

export function isClose(
  said: number,
  right: number,
  { abs_tol = 0, rel_tol }: { abs_tol?: number | undefined; rel_tol?: number | undefined },
): boolean {
  const tolerance = Math.max(abs_tol, (rel_tol ?? DEFAULT_REL_TOL) * Math.abs(right));
  return said === right || Math.abs(said - right) <= tolerance * (1 + 1e-12);
}
