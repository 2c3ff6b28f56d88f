/**
 * Finds numbers in text: 1,234.5 · 1.234,5 · 1 234 · -3 · minus 3 · 25% · 3/4 · 1 1/2 · ½ · 6.02×10²³ · 1e-5 · 2^10 · 1.5 million · $1.5M.
 * Digits that are part of a word (`5abc`, `H2O`) are no number; with a unit behind them (`5km`) they are.
 */
import { suffixOf } from './number-suffix.ts';
import { writtenOut } from './written-out.ts';

export interface NumberRead {
  readonly value: number;
  readonly isPercent: boolean;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

/** A number with one kind of thousands separator, or a plain run of digits. */
const DIGITS = String.raw`(?:(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?: \d{3})+(?:[.,]\d+)?|\d{1,3}(?:['_]\d{3})+(?:\.\d+)?)(?!\d)|\d+(?:[.,]\d+)?|\.\d+)`;
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.]|\p{L}[-^])(?<sign>(?<![\d)])[-+](?=[$€£¥]?[\d.]))?(?<money>[$€£¥])?(?<main>${DIGITS})` +
    String.raw`(?:(?<exponent>[eE][-+]?\d{1,4})(?!\w)|\s?[x×·*]\s?10\s?(?:\^\s?\{?|\*\*)(?<power>[-+]?\d{1,4})\}?|\s?\^\s?\{?(?<raise>[-+]?\d{1,4})\}?|(?:\s?\/\s?(?<over>\d+(?:\.\d+)?)(?!\s?\/\s?\d)|\s(?<top>\d+)\s?\/\s?(?<under>\d+)))?` +
    String.raw`(?:\s?(?<percent>%|percent\b|per cent\b)|\s(?<scale>thousand|million|billion|trillion)\b)?`,
  'giu',
);

export function findNumbers(text: string): NumberRead[] {
  const found: NumberRead[] = [];
  for (const match of writtenOut(text).matchAll(NUMBER)) {
    const { sign, money, main = '', exponent, power, raise, over, top, under, percent, scale } = match.groups ?? {};
    const { input, index } = match;
    // 20/07/1969 is not a fraction.
    if (/\d\s?\/\s?$/.test(input.slice(Math.max(0, index - 3), index))) continue;
    const suffix = suffixOf(input, index + match[0].length, money !== undefined);
    if (!suffix) continue;
    let value = plain(main);
    if (exponent !== undefined) value = Number(`${value}${exponent}`);
    if (power !== undefined) value = Number(`${value}e${Number(power)}`);
    if (raise !== undefined) value = value ** Number(raise);
    if (over !== undefined) value /= Number(over);
    if (top !== undefined) value += Number(top) / Number(under);
    if (scale !== undefined) value *= SCALES[scale.toLowerCase()] ?? 1;
    value *= suffix.scale;
    const word = sign === undefined ? minusWord(input, index) : '';
    if (sign === '-' || word !== '') value = -value;
    if (!Number.isFinite(value)) continue;
    const start = index - word.length;
    const end = index + match[0].length + suffix.length;
    found.push({ value, isPercent: percent !== undefined, start, end, text: input.slice(start, end).trim() });
  }
  return found;
}

/** "5-6 km", "$5 to 6": it is not clear which of the two is meant. */
export function isRange(text: string, { start, end }: Pick<NumberRead, 'start' | 'end'>): boolean {
  return (
    /\d\s?(?:[-–—]|to)\s?[$€£¥]?$/.test(text.slice(Math.max(0, start - 6), start)) ||
    /^\s?(?:[-–—]|to)\s?[$€£¥]?\d/.test(text.slice(end, end + 6))
  );
}

const MINUS =
  /(?:[\n:=(,;.!?≈→]|\b(?:is|are|was|were|be|equals?|to|of|about|approximately|roughly|exactly|around|at|give|gives|get|gets|answer|result)\b)\s*((?:minus|negative)\s)$/i;

/** "It is minus 5" has a sign; "10 minus 5" and "x minus 5" subtract. Returns the word with the space behind it. */
function minusWord(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 40), at);
  if (!/(?:minus|negative)\s$/i.test(before)) return '';
  return MINUS.exec(at <= 40 ? `\n${before}` : before)?.[1] ?? '';
}

/** Decides whether `,` or `.` is the decimal point: a lone `1,234` has thousands, `3,14` has a decimal comma, `1.234` a point. */
function plain(main: string): number {
  const digits = main.replace(/[ '_]/g, '');
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits) || /^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(digits)) {
    return Number(digits.replaceAll('.', '').replace(',', '.'));
  }
  const isGrouped =
    /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits) || /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits);
  return Number(isGrouped ? digits.replaceAll(',', '') : digits.replace(',', '.'));
}
