/** Which options a response chooses, as a set. The value is the F1 score of the set. */

import { indexOfLetter, letterOf, mentionsIn } from '../../cases/index.ts';
import { type CheckResult, fail } from './check-result.ts';
import { optionLines } from './option-lines.ts';
import { lastMatches, type Question, questionOf, readLetter, readText } from './read-option.ts';

const LABEL =
  /(?:\b(?:answers?|solutions?|selections?)\b|\b(?:correct|right|true|final|my)\s+(?:options?|choices?|ones|letters|statements?)\b)(?:\s+(?!because\b|since\b|which\b)[^\s.!?:=]{1,30}){0,8}?\s*(?:\b(?:is|are|was|were|would be|should be|include|includes)\b|[:=→⇒]|->)|\\boxed\{|####|\b(?:i|we)(?:['’]d|\s+would)?\s+(?:choose|pick|select|go with)\b/gi;
const PRAISE = /\s(?:is|are)\s+(?:(?:both|all|the|indeed|clearly|only)\s+){0,3}(?:correct|right|true|answers?)\b/gi;
const SEPARATOR =
  /[\s"'“”‘’()[\]{}$*,;:/&+.]*(?:\b(?:and|or|as well as|options?|choices?|both|letters?|only|also)\b[\s"'“”‘’()[\],:]*)*/iy;
const NEGATION = /\b(?:not|neither|nor|except|incorrect|wrong|false)\b|n['’]t\b/i;

const MAX_CLAUSE = 300;

export function checkMultiChoice(
  response: string,
  choices: readonly string[],
  right: ReadonlySet<number>,
  threshold = 1,
): CheckResult {
  const expected = names(right);
  const found = chosenSet(response, choices);
  if (!found) return fail({ reason: 'The response does not say clearly which options it chooses.', expected });
  const hits = [...found].filter((index) => right.has(index)).length;
  const [precision, recall] = [hits / found.size, hits / right.size];
  const value = hits === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const verdict = value >= threshold ? 'pass' : 'fail';
  const reason = `The response chooses ${names(found).join(', ')}; right are ${expected.join(', ')}.`;
  return { value, verdict, detail: { reason, found: names(found), expected, precision, recall } };
}

/** Undefined if nothing is clearly chosen. */
export function chosenSet(response: string, choices: readonly string[]): ReadonlySet<number> | undefined {
  const question = questionOf(response, choices);
  return stated(question) ?? listed(question) ?? mentioned(question);
}

/** The last statement: "The answers are A and C", "Answer: AC", "A and C are correct", a label with lines below it. */
function stated(question: Question): ReadonlySet<number> | undefined {
  const found: { at: number; set: Set<number> }[] = [];
  for (const { index, 0: label } of lastMatches(question.text, LABEL)) {
    const from = index + label.length;
    if (/^\s*(?:not|none)\b/i.test(question.text.slice(from, from + 12))) continue;
    const set = readList(question, from);
    if (set.size > 0) found.push({ at: index, set });
  }
  for (const { index } of lastMatches(question.text, PRAISE)) {
    const before = question.text.slice(Math.max(0, index - MAX_CLAUSE), index);
    const clause = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ')) + 1);
    const set = readList(question, index - clause.length);
    if (set.size > 0) found.push({ at: index, set });
  }
  return found.sort((a, b) => a.at - b.at).at(-1)?.set;
}

function readList(question: Question, from: number): Set<number> {
  const set = new Set<number>();
  const run = /^[\s"'“(*[]*([A-Z]{2,26})\b(?!['’])/.exec(question.text.slice(from, from + 60))?.[1];
  if (run !== undefined && isLetterRun(run, question.options.length))
    return new Set([...run].map((letter) => letter.charCodeAt(0) - 65));
  let at = from;
  for (let count = 0; count < 52; count++) {
    SEPARATOR.lastIndex = at;
    const next = SEPARATOR.test(question.text) ? SEPARATOR.lastIndex : at;
    // A new paragraph ends the list, unless the list has not started yet.
    if (set.size > 0 && /\n\s*\n/.test(question.text.slice(at, next))) break;
    const read = readLetter(question, next) ?? readText(question, next);
    if (!read) break;
    set.add(read.index);
    at = endOfEntry(question, read.end);
  }
  return set;
}

/** "- A) 2: because …": on such a line, the rest of the line explains the option. */
function endOfEntry({ text }: Question, end: number): number {
  const line = text.slice(end, end + 500);
  const rest = /^[^\n]*/.exec(line)?.[0] ?? '';
  const next = line.slice(rest.length + 1);
  return rest !== '' && /^\s*(?:[:–—(-]|because\b)/i.test(rest) && /^\s*[([]?[A-Z][)\].:]/.test(next)
    ? end + rest.length
    : end;
}

function isLetterRun(run: string, count: number): boolean {
  return new Set(run).size === run.length && [...run].every((letter) => indexOfLetter(letter, count) !== undefined);
}

/** The last line with several letters ("A, C"); otherwise all lines that are options. */
function listed(question: Question): ReadonlySet<number> | undefined {
  const runs = question.text
    .split('\n')
    .filter(
      (line) => line.length < 200 && /^[\s([{"']*[A-Z](?:(?:[\s,;/&)\](]|and|"|')*[A-Z])+[\s)\]}."']*$/.test(line),
    )
    .map((line) => (line.replace(/and/g, ' ').match(/[A-Z]/g) ?? []).join(''))
    .filter((run) => isLetterRun(run, question.options.length));
  const last = runs.at(-1);
  if (last !== undefined) return new Set([...last].map((letter) => letter.charCodeAt(0) - 65));
  const whole = optionLines(question).filter(({ isWhole, conflict }) => isWhole && conflict === undefined);
  return whole.length > 0 ? new Set(whole.map(({ index }) => index)) : undefined;
}

/** In one sentence without a denial, every option that it names is chosen. */
function mentioned({ text, lower, options }: Question): ReadonlySet<number> | undefined {
  if (NEGATION.test(text) || /[.!?]\s+\S/.test(text.trim()) || text.trim().includes('\n')) return undefined;
  const named = new Set(mentionsIn(lower, options).map(({ index }) => index));
  return named.size > 0 ? named : undefined;
}

function names(indexes: ReadonlySet<number>): string[] {
  return [...indexes].sort((a, b) => a - b).map(letterOf);
}
