/** Normalizes answers: without Markdown, in one Unicode form. Every step is linear, because a response may be a megabyte of asterisks. */
import { normalised } from './normalised.ts';

/** Removes emphasis, code marks, headings and list bullets; keeps case and lines. `2*3`, `2 * 3` and `snake_case` are kept. */
export function withoutMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]{0,9}(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/^[ \t]{0,9}[*+•-][ \t]+/gm, '')
    .replace(/`+|~~/g, '')
    .replace(/[*_]+/g, (run, at: number, whole: string) => (isEmphasis(whole, at, run.length) ? '' : run));
}

/** A run of `*` or `_` is emphasis unless it is inside a word or alone between spaces. */
function isEmphasis(whole: string, at: number, length: number): boolean {
  const before = whole.charAt(at - 1);
  const after = whole.charAt(at + length);
  const isInWord = WORD.test(before) && WORD.test(after);
  const isAlone = /^\s?$/.test(before) && /^\s?$/.test(after);
  return !isInWord && !isAlone;
}

const WORD = /[\p{L}\p{N}]/u;

/** The form for comparisons: NFKC, without case, with normalized white space. */
export function fold(text: string, keepCase = false): string {
  const form = normalised(text, 'NFKC').replace(/\s+/g, ' ').trim();
  // Through upper case, so that ß and SS are equal.
  return keepCase ? form : form.toUpperCase().toLowerCase();
}

/** Removes final punctuation of all scripts. */
export function withoutEndPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:!?。、，．！？；：…]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Without trade marks, accents, control characters and hyphens at letters: `Lumaflex™`, `Café` and `V-Neck` are `Lumaflex`, `Cafe` and `V Neck`. */
export function looseForm(text: string): string {
  return normalised(text.replace(/[™®℠©]/g, '').replace(/[\t\r\n]/g, ' '), 'NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/(?<=\p{L})[-\u2010-\u2015\u2212\u00ad]|[-\u2010-\u2015\u2212\u00ad](?=\p{L})/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
}

/** `$\mathbf{B}$` is B. */
function withoutTex(text: string): string {
  return text
    .replace(/\\(?:text|textbf|textrm|textit|mathbf|mathrm|mathit|mathsf)\{([^{}\n]{0,200})\}/g, '$1')
    .replace(/\\[()[\]]|\$/g, '');
}

/** For choices. Case is kept, because it shows whether a letter is an option or a word. */
export function readable(response: string): string {
  // İ becomes longer in lower case, but positions in both forms must agree.
  return normalised(withoutMarkdown(withoutTex(response)), 'NFKC')
    .replaceAll('İ', 'I')
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
}
