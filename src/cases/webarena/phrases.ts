/** Texts that a rule looks for: alternatives, whole words, and their patterns. WebArena compares without case. */
import { escapePattern } from '../../contracts/index.ts';

export function alternatives(wanted: string): string[] {
  return wanted.split(' |OR| ');
}

/** Letters and digits, with marks between them at most: "25.00" is a word, "$25" is not. */
export function isWord(wanted: string): boolean {
  return /^[\p{L}\p{N}](?:[\p{L}\p{N}.,'_-]*[\p{L}\p{N}])?$/u.test(wanted.trim());
}

/** One of the alternatives anywhere in the text. */
export function includedPattern(wanted: string, wholeWords: boolean): string {
  const forms = alternatives(wanted).map((one) => (wholeWords && isWord(one) ? wordPattern(one) : escapePattern(one)));
  return `(?i)(?:${forms.join('|')})`;
}

/** One of the alternatives as the whole text. */
export function exactPattern(wanted: string): string {
  return `(?i)^\\s*(?:${alternatives(wanted).map(escapePattern).join('|')})\\s*$`;
}

/** 25 is no word of "25.00" and of "1,250". */
function wordPattern(word: string): string {
  const before = '(?:^|[^\\pL\\pN.,]|(?:^|[^\\pN])[.,])';
  const after = '(?:$|[^\\pL\\pN.,]|[.,](?:$|[^\\pN]))';
  return `${before}${escapePattern(word.trim())}${after}`;
}
