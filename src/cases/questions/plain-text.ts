/** Answers as people mean them: without markdown, in one Unicode form. Every step is linear: a response may be a megabyte of asterisks. */

/** Removes emphasis, code marks, headings and list bullets; keeps case and lines. `2*3`, `2 * 3` and `snake_case` stay. */
export function withoutMarkdown(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]{0,9}(?:#{1,6}|>)[ \t]+/gm, '')
    .replace(/^[ \t]{0,9}[*+•-][ \t]+/gm, '')
    .replace(/`+|~~/g, '')
    .replace(/[*_]+/g, (run, at: number, whole: string) => (isEmphasis(whole, at, run.length) ? '' : run));
}

/** A run of `*` or `_` is emphasis unless it stands inside a word or alone between spaces. */
function isEmphasis(whole: string, at: number, length: number): boolean {
  const before = whole.charAt(at - 1);
  const after = whole.charAt(at + length);
  const isInWord = WORD.test(before) && WORD.test(after);
  const isAlone = /^\s?$/.test(before) && /^\s?$/.test(after);
  return !isInWord && !isAlone;
}

const WORD = /[\p{L}\p{N}]/u;

/** One form for comparing: NFKC, without case, white space folded. */
export function fold(text: string, keepCase = false): string {
  const form = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  // Through capitals: ß and SS are then the same.
  return keepCase ? form : form.toUpperCase().toLowerCase();
}

/** Full stops and the like at the end; those of every script that has them. */
export function withoutEndPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s.,;:!?。、，．！？；：…]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** `$\mathbf{B}$` is B. */
function withoutTex(text: string): string {
  return text
    .replace(/\\(?:text|textbf|textrm|textit|mathbf|mathrm|mathit|mathsf)\{([^{}\n]{0,200})\}/g, '$1')
    .replace(/\\[()[\]]|\$/g, '');
}

/** For choices: case kept, because a letter's case says whether it is a letter or a word. */
export function readable(response: string): string {
  // İ grows when it is folded; places in both forms must be the same.
  return withoutMarkdown(withoutTex(response))
    .normalize('NFKC')
    .replaceAll('İ', 'I')
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
}
