/** The options of a multiple-choice item: A, B, C … and their texts. */
import { readable, withoutEndPunctuation } from './plain-text.ts';

export function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}

/** The index of a letter; undefined if the item has no such option. */
export function indexOfLetter(letter: string, count: number): number | undefined {
  const index = letter.toUpperCase().charCodeAt(0) - 65;
  return letter.length === 1 && index >= 0 && index < count ? index : undefined;
}

/** The normalized form of an option, which is searched in lower-case text. */
export function foldOption(text: string): string {
  return withoutEndPunctuation(readable(text).replace(/\s+/g, ' ').trim().toLowerCase());
}

/** Resolves an answer of a dataset: a letter ("B", "(B)", "B."), otherwise an option's text. */
export function resolveOption(answer: string, choices: readonly string[]): number | undefined {
  const wanted = foldOption(answer);
  // If the options are letters themselves ("B", "A", …), a letter still means the position.
  const letter = /^\(?([a-z])\)?$/.exec(wanted)?.[1];
  const byLetter = letter === undefined ? undefined : indexOfLetter(letter, choices.length);
  if (byLetter !== undefined) return byLetter;
  const byText = choices.findIndex((choice) => foldOption(choice) === wanted);
  return byText < 0 ? undefined : byText;
}

export interface Mention {
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the options' normalized texts in a text, as whole words, longest first: "Mars" inside "Mars Orbiter" is not Mars.
 * The result is in text order.
 */
export function mentionsIn(lowerText: string, options: readonly string[]): Mention[] {
  const taken: Mention[] = [];
  const byLength = options
    .map((text, index) => ({ text, index }))
    .filter(({ text }) => text !== '')
    .sort((a, b) => b.text.length - a.text.length);
  const free = new Uint8Array(lowerText.length).fill(1);
  for (const { text, index } of byLength) {
    for (let start = lowerText.indexOf(text); start >= 0; start = lowerText.indexOf(text, start + text.length)) {
      const end = start + text.length;
      if (free[start] === 1 && free[end - 1] === 1 && isWhole(lowerText, start, end)) {
        taken.push({ index, start, end });
        free.fill(0, start, end);
      }
    }
  }
  return taken.sort((a, b) => a.start - b.start);
}

const WORD = /[\p{L}\p{N}]/u;

function isWhole(text: string, start: number, end: number): boolean {
  const touches = (inside: string, outside: string): boolean => WORD.test(inside) && WORD.test(outside);
  if (touches(text.charAt(start), text.charAt(start - 1)) || touches(text.charAt(end - 1), text.charAt(end)))
    return false;
  return !cutsNumber(text, start, end);
}

/** Whether the part begins or ends inside a number: 4 is not in 14, 4.5 or -4, nor 5 in 4.5. */
export function cutsNumber(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const after = text.slice(end, end + 2);
  return (
    (/\d/.test(text.charAt(start)) && (/\d[.,]?$/.test(before) || /(?:^|[^\p{L}\p{N}])[-−]$/u.test(before))) ||
    (/\d/.test(text.charAt(end - 1)) && /^(?:\d|[.,]\d)/.test(after))
  );
}
