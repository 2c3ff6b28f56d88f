/**
 * A text in one Unicode form. The compatibility forms make some characters much longer: U+FDFA becomes eighteen, and 60 MB of it once took
 * 2.4 GB. A text that would become longer than this stays as it is: what is made of such characters is no answer that a checker could read.
 */
const LONGEST_FORM = 2_000_000;
/** By how much a form can be longer than its text. */
const MOST_EXPANSION = 18;
const PIECE = 10_000;

export function normalised(text: string, form: 'NFKC' | 'NFKD'): string {
  return isBounded(text, form) ? text.normalize(form) : text;
}

function isBounded(text: string, form: 'NFKC' | 'NFKD'): boolean {
  if (text.length * MOST_EXPANSION <= LONGEST_FORM) return true;
  let length = 0;
  // Pieces may cut what belongs together: that changes the length by a few characters only.
  for (let at = 0; at < text.length && length <= LONGEST_FORM; at += PIECE) {
    length += text.slice(at, at + PIECE).normalize(form).length;
  }
  return length <= LONGEST_FORM;
}
