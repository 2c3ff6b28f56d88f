/** How a text of the page compares with what a leaf asks for: from the text itself, or from the digest that was kept of a long one. */
import type { TextComparison, TextDigest, TextFact, TextNeeded } from './facts.ts';
import { TEXT_PREVIEW } from './limits.ts';
import { scanFor } from './pattern-scan.ts';

export interface CompareOptions {
  /** How much work the pattern may cost. */
  steps: number;
  /** Runs of white space count as one space for `equals`: text that a person reads, and not a value. */
  collapse: boolean;
}

/** Only the comparison that the leaf makes; evidence repeats it. */
export const comparisonOf = ({ contains, equals, pattern }: TextComparison): TextComparison => ({
  ...(contains !== undefined && { contains }),
  ...(equals !== undefined && { equals }),
  ...(pattern !== undefined && { pattern }),
});

/** Undefined: that is not known, because the text was too long. */
export function compareText(
  text: string | TextDigest,
  { contains, equals, pattern }: TextComparison,
  { steps, collapse }: CompareOptions,
): boolean | undefined {
  if (typeof text !== 'string') {
    if (contains !== undefined) return own(text.contains, contains);
    return equals === undefined ? own(text.patterns, pattern ?? '') : own(text.equals, equals);
  }
  if (contains !== undefined) return text.includes(contains);
  if (equals !== undefined) return collapse ? collapsed(text) === collapsed(equals) : text === equals;
  return scanFor(pattern ?? '', steps).test(text);
}

/** `compareText` gives the same for the digest as for the text. */
export function digestText(text: TextFact, needed: TextNeeded, options: CompareOptions): TextFact {
  if (text === null) return null;
  if (typeof text === 'string' && text.length <= TEXT_PREVIEW) return text;
  const answers = (field: keyof TextComparison, wanted: readonly string[]): Record<string, boolean> =>
    Object.fromEntries(
      wanted.flatMap((one) => {
        const answer = compareText(text, { [field]: one }, options);
        return answer === undefined ? [] : [[one, answer] as const];
      }),
    );
  const equals = answers('equals', needed.equals);
  const patterns = answers('pattern', needed.patterns);
  return {
    preview: (typeof text === 'string' ? text : text.preview).slice(0, TEXT_PREVIEW),
    length: text.length,
    contains: answers('contains', needed.contains),
    ...(Object.keys(equals).length > 0 && { equals }),
    ...(Object.keys(patterns).length > 0 && { patterns }),
  };
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();

const own = (answers: Record<string, boolean> | undefined, asked: string): boolean | undefined =>
  answers !== undefined && Object.hasOwn(answers, asked) ? answers[asked] : undefined;
