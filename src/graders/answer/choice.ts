/**
 * Which option a response chooses, by letter or by text. Statements count first ("the answer is B"), and the last one wins; then lines that
 * consist of an option; then the only option that is mentioned at all. If two options remain, the check fails and names them.
 */

import { indexOfLetter, letterOf, mentionsIn } from '../../cases/index.ts';
import { type CheckResult, fail, passIf } from './check-result.ts';
import { optionLines, withoutListings } from './option-lines.ts';
import { type Question, questionOf } from './read-option.ts';
import { statementsIn } from './statements.ts';

export type Choice = { readonly index: number } | { readonly problem: string };

export function checkChoice(response: string, choices: readonly string[], right: number): CheckResult {
  const expected = letterOf(right);
  const choice = chosen(response, choices);
  if ('problem' in choice) return fail({ reason: choice.problem, expected });
  const found = letterOf(choice.index);
  const reason =
    choice.index === right ? `The response chooses ${found}.` : `The response chooses ${found}, not ${expected}.`;
  return passIf(choice.index === right, { reason, found, expected });
}

/** @example chosen('I think so. The answer is **B**.', ['Venus', 'Mercury']); // { index: 1 } */
export function chosen(response: string, choices: readonly string[]): Choice {
  const question = questionOf(response, choices);
  const lines = optionLines(question);
  const statement = statementsIn(question).at(-1);
  const line = lineThatAnswers(lines);
  const said = statement ?? line;
  if (said?.conflict !== undefined) return { problem: `Ambiguous: the response ${said.conflict}.` };
  return said ? { index: said.index } : mentioned(question);
}

function lineThatAnswers(lines: ReturnType<typeof optionLines>) {
  if (new Set(lines.map(({ index }) => index)).size === 1) return lines.at(-1);
  return withoutListings(lines)
    .filter(({ isWhole }) => isWhole)
    .at(-1);
}

function mentioned({ text, lower, options }: Question): Choice {
  const isDenied = (start: number): boolean =>
    /(?:\bnot|n['’]t|\bnever|\bexcept)\s+(?:\w+\s+)?$/.test(lower.slice(Math.max(0, start - 30), start));
  const named = new Set(
    mentionsIn(lower, options)
      .filter(({ start }) => !isDenied(start))
      .map(({ index }) => index),
  );
  for (const [, inBrackets, afterWord] of text.matchAll(
    /\(([A-Z])\)|\b(?:[Oo]ption|[Cc]hoice|[Ll]etter) \(?([A-Z])\b/g,
  )) {
    const index = indexOfLetter(inBrackets ?? afterWord ?? '', options.length);
    if (index !== undefined) named.add(index);
  }
  const [first, second] = named;
  if (first === undefined) {
    const index = indexOfLetter(loneLetter(text), options.length);
    return index === undefined ? { problem: 'The response names no option.' } : { index };
  }
  if (second === undefined) return { index: first };
  const all = [...named].sort((a, b) => a - b).map(letterOf);
  return { problem: `Ambiguous: the response names ${all.join(' and ')} and chooses none.` };
}

/** In any language: a capital letter that ends the response, "La réponse est B.", or starts it, "B is closest". */
function loneLetter(text: string): string {
  const end = /(?:[\s:：]|[\p{Lo}])\(?([A-Z])\)?[.。!]?\s*$/u.exec(text.slice(-40))?.[1];
  return end ?? /^\s{0,9}([B-HJ-Z])\s+(?:is|has|because|since)\b/.exec(text)?.[1] ?? '';
}
