/**
 * Finds numbers in text: 1,234.5 · 1.234,5 · 1 234 · -3 · 25% · 3/4 · 1 1/2 · ½ · 6.02×10²³ · 1e-5 · 2^10 · 1.5 million.
 * Unicode's NFKC would turn 10⁵ into 105 and 1½ into 11⁄2, so these forms are handled here instead.
 */
export interface NumberRead {
  readonly value: number;
  readonly isPercent: boolean;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅖': '2/5',
  '⅗': '3/5',
  '⅘': '4/5',
  '⅙': '1/6',
  '⅚': '5/6',
  '⅐': '1/7',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
  '⅑': '1/9',
  '⅒': '1/10',
};
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const SCALES: Readonly<Record<string, number>> = { thousand: 1e3, million: 1e6, billion: 1e9, trillion: 1e12 };

/** A number with one kind of thousands separator, or a plain run of digits. */
const DIGITS = String.raw`(?:(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?: \d{3})+(?:[.,]\d+)?|\d{1,3}(?:['_]\d{3})+(?:\.\d+)?)(?!\d)|\d+(?:[.,]\d+)?|\.\d+)`;
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.]|\p{L}[-^])(?<sign>(?<![\d)])[-+](?=[$€£¥]?[\d.]))?[$€£¥]?(?<main>${DIGITS})` +
    String.raw`(?:(?<exponent>[eE][-+]?\d{1,4})(?!\w)|\s?[x×·*]\s?10\s?(?:\^\s?\{?|\*\*)(?<power>[-+]?\d{1,4})\}?|\s?\^\s?\{?(?<raise>[-+]?\d{1,4})\}?|(?:\s?\/\s?(?<over>\d+(?:\.\d+)?)(?!\s?\/\s?\d)|\s(?<top>\d+)\s?\/\s?(?<under>\d+)))?` +
    String.raw`(?:\s?(?<percent>%|percent\b|per cent\b)|\s(?<scale>thousand|million|billion|trillion)\b)?`,
  'giu',
);

export function findNumbers(text: string): NumberRead[] {
  const found: NumberRead[] = [];
  for (const match of writtenOut(text).matchAll(NUMBER)) {
    const { sign, main = '', exponent, power, raise, over, top, under, percent, scale } = match.groups ?? {};
    // 20/07/1969 is not a fraction.
    if (/\d\s?\/\s?$/.test(match.input.slice(Math.max(0, match.index - 3), match.index))) continue;
    let value = plain(main);
    if (exponent !== undefined) value = Number(`${value}${exponent}`);
    if (power !== undefined) value = Number(`${value}e${Number(power)}`);
    if (raise !== undefined) value = value ** Number(raise);
    if (over !== undefined) value /= Number(over);
    if (top !== undefined) value += Number(top) / Number(under);
    if (scale !== undefined) value *= SCALES[scale.toLowerCase()] ?? 1;
    if (sign === '-') value = -value;
    if (!Number.isFinite(value)) continue;
    const end = match.index + match[0].length;
    found.push({ value, isPercent: percent !== undefined, start: match.index, end, text: match[0].trim() });
  }
  return found;
}

/** The same text in ASCII. It may be longer, so positions refer to this form. */
export function writtenOut(text: string): string {
  return text
    .replace(/\\[dt]?frac\{(\d{1,15})\}\{(\d{1,15})\}/g, ' $1/$2')
    .replace(/\\times|\\cdot/g, '×')
    .replace(/\\%/g, '%')
    .replace(/\{,\}/g, ',')
    .replace(/[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (run) => `^${[...run].map(superscript).join('')}`)
    .replace(/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]/g, (char) => ` ${VULGAR[char] ?? ''}`)
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 48))
    .replace(/[−‒–](?=[$€£¥]?\d)/g, '-')
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replace(/⁄/g, '/')
    .replace(/％/g, '%')
    .replace(/(?<=\d)’(?=\d{3})/g, "'");
}

function superscript(char: string): string {
  if (char === '⁻') return '-';
  if (char === '⁺') return '';
  return String(SUPERSCRIPTS.indexOf(char));
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
