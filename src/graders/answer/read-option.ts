/** Reads one option at a position in a text: "B", "(B)", "option B", "B) Mercury", "Mercury (B)". */
import { foldOption, indexOfLetter, letterOf, readable } from '../../cases/index.ts';

export interface OptionRead {
  readonly index: number;
  /** The position after it. */
  readonly end: number;
  /** Why this does not count: letter and text disagree, or several options are joined by "or". */
  readonly conflict?: string;
}

export interface Question {
  /** Normalized, with case kept. */
  readonly text: string;
  readonly lower: string;
  /** The normalized options. */
  readonly options: readonly string[];
}

export function questionOf(response: string, choices: readonly string[]): Question {
  const text = readable(response);
  return { text, lower: text.toLowerCase(), options: choices.map(foldOption) };
}

/** The last statement counts, so only this many from the end are examined: a megabyte of labels costs no more. */
const MAX_MATCHES = 100;

export function lastMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    if (matches.length === 2 * MAX_MATCHES) matches.splice(0, MAX_MATCHES);
    matches.push(match);
  }
  return matches.slice(-MAX_MATCHES);
}

const LEAD =
  /[\s"'“”‘’([{*:-]*(?:(?:indeed|clearly|therefore|thus|simply|likely|probably|definitely|actually|option|choice|letter|answer)[\s,:]+){0,3}["'“‘([{]*/iy;
const JOIN = /\s*(?:,\s*(?:and|or)\b|,|\/|&|\band\b|\bor\b)\s*/iy;
const BETWEEN = /[ \t)\]}.:,"'”’–—-]{0,8}\(?/y;
const CLAUSE_END = /^[\s"'”’)\]}]{0,4}(?:[.!?;,\n]|$)/;
/** After a capital A or I, these words show that it is a letter and not an article or "I". */
const AFTER_LETTER =
  /\s+(?:because|since|as|is|was|and|or|due|given|based|which|for|if|with|in|by|so|are|would|–|—|-)\b/iy;

export function readOption(question: Question, start: number): OptionRead | undefined {
  const near = skip(/\s*/y, question.text, start);
  const at = skip(LEAD, question.text, start);
  // A dash is skipped like a bracket, unless it is the minus sign of an option.
  const signed = /-/.test(question.text.charAt(near)) ? readText(question, near) : undefined;
  const one = signed ?? readLetter(question, at) ?? readText(question, at) ?? readText(question, near);
  if (!one || one.conflict !== undefined) return one;
  return joined(question, one);
}

/** "A or B" and "A and C" choose nothing. "B, A is wrong" continues with a remark about A. */
function joined(question: Question, one: OptionRead): OptionRead {
  JOIN.lastIndex = one.end;
  if (!JOIN.test(question.text)) return one;
  const at = skip(/(?:option|choice)?\s*\(?/iy, question.text, JOIN.lastIndex);
  const other = readLetter(question, at) ?? readText(question, at);
  if (
    !other ||
    other.index === one.index ||
    /^\s*(?:is|are|was|has)\b/i.test(question.text.slice(other.end, other.end + 12))
  ) {
    return one;
  }
  return { ...one, end: other.end, conflict: `names ${letterOf(one.index)} and ${letterOf(other.index)}` };
}

export function readLetter(question: Question, at: number): OptionRead | undefined {
  const { text, options } = question;
  const letter = text.charAt(at);
  if (!/^[A-Za-z]$/.test(letter) || /[\p{L}\p{N}'’_]/u.test(text.charAt(at + 1))) return undefined;
  const index = indexOfLetter(letter, options.length);
  if (index === undefined || isJustAWord(text, at, letter)) return undefined;
  const behind = skip(BETWEEN, text, at + 1);
  const named = readText(question, behind);
  if (named && named.index !== index && isItsText(text, at + 1, behind, named.end)) {
    return {
      index,
      end: named.end,
      conflict: `says ${letterOf(index)} but names the text of ${letterOf(named.index)}`,
    };
  }
  if (named?.index === index) return { index, end: named.end };
  return { index, end: /^[)\]]/.test(text.charAt(at + 1)) ? at + 2 : at + 1 };
}

/** "B) Venus" gives B that text; "B. Venus is hotter" begins another sentence. */
function isItsText(text: string, start: number, end: number, behind: number): boolean {
  const between = text.slice(start, end);
  if (between.trim() === '') return between !== '' && CLAUSE_END.test(text.slice(behind, behind + 8));
  return /[)\]:(–—-]/.test(between) || CLAUSE_END.test(text.slice(behind, behind + 8));
}

function isJustAWord(text: string, at: number, letter: string): boolean {
  const after = text.slice(at + 1, at + 3);
  const isAlone = /^(?:[)\].,:;!?"'”’}]|\s*$|\s*\n|\s?[-–—(])/.test(after);
  if (isAlone) return false;
  if (letter >= 'a') return true;
  if (letter !== 'A' && letter !== 'I') return false;
  AFTER_LETTER.lastIndex = at + 1;
  return /^\s[\p{L}\p{N}]/u.test(after) && !AFTER_LETTER.test(text);
}

/** The longest option text at this position. */
export function readText({ lower, options }: Question, at: number): OptionRead | undefined {
  let best: OptionRead | undefined;
  options.forEach((option, index) => {
    const end = at + option.length;
    const isThere = option !== '' && lower.startsWith(option, at) && !/[\p{L}\p{N}]/u.test(boundary(lower, end));
    if (isThere && end > (best?.end ?? at)) best = { index, end };
  });
  return best;
}

/** The character after it, if it would belong to the same word or number. */
function boundary(lower: string, end: number): string {
  const next = lower.charAt(end);
  const isDecimal = /[.,]/.test(next) && /\d/.test(lower.charAt(end - 1)) && /\d/.test(lower.charAt(end + 1));
  return isDecimal ? '0' : /[\p{L}\p{N}]/u.test(lower.charAt(end - 1)) ? next : '';
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
