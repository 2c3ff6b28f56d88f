/**
 * Texts as WebArena-Verified compares them: without case, accents, trademark signs and control characters; hyphens at letters are spaces;
 * quotes and punctuation at both ends do not count where the texts are otherwise equal.
 */
import { fold, isTextPattern, looseForm } from '../../cases/index.ts';
import { isMatch } from './text-patterns.ts';

const ENDS = /^['"`.,;:!?]+|['"`.,;:!?]+$/g;

/** Whether a text is what a rule asks for. `^…$` is a pattern, which is matched on the comparable form. */
export function isText(expected: string, actual: string): boolean {
  const given = comparable(actual);
  if (!isTextPattern(expected)) {
    const wanted = comparable(expected);
    return wanted === given || wanted.replaceAll(ENDS, '') === given.replaceAll(ENDS, '');
  }
  return isMatch(expected, given, { ignoreCase: true });
}

export function comparable(text: string): string {
  return fold(looseForm(text));
}
