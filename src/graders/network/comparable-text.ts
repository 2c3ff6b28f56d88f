/**
 * Texts as WebArena-Verified compares them: without case, accents, trademark signs and control characters; hyphens at letters are spaces;
 * quotes and punctuation at both ends do not count where the texts are otherwise equal.
 */
import { fold, isTextPattern } from '../../cases/index.ts';
import { isMatch } from './text-patterns.ts';

const HYPHEN = '[-\u2010-\u2015\u2212\u00ad]';
const HYPHEN_AT_LETTER = new RegExp(`(?<=[A-Za-z])${HYPHEN}|${HYPHEN}(?=[A-Za-z])`, 'g');
const SIGNS = /[\u2122\u00ae\u2120\u00a9]/g;
const CONTROLS = /[\p{Cc}\p{Cf}]/gu;
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
  const plain = text
    .replaceAll(SIGNS, '')
    .replaceAll(/[\t\r\n]/g, ' ')
    .normalize('NFKC')
    .replaceAll(HYPHEN_AT_LETTER, ' ')
    .replaceAll(CONTROLS, '');
  return fold(plain.normalize('NFD').replaceAll(/\p{M}/gu, ''));
}
