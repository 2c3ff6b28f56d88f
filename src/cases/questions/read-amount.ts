/**
 * Amounts of money in text: $1,299.99 · 20 € · EUR 1.234,50 · 1.5 million dollars · -$5 · ($5). A sign that several currencies share
 * (`$`, `¥`) stands for all of them. A lone point before three digits (€1.234) can be a decimal point or not: `decimal` says which.
 */
import { findNumbers, isRange, type NumberRead } from './numbers.ts';
import { writtenOut } from './written-out.ts';

export interface AmountRead {
  readonly value: number;
  /** The codes that it can be; undefined where the text names no currency. */
  readonly currencies?: ReadonlySet<string>;
  readonly text: string;
  readonly problem?: string;
}

export type DecimalMark = '.' | ',';

const DOLLARS = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD'];
const MARKS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/us\$|\bus dollars?\b/iu, ['USD']],
  [/ca\$|c\$|canadian dollars?/iu, ['CAD']],
  [/au\$|a\$|australian dollars?/iu, ['AUD']],
  [/\$|\bdollars?\b|\bbucks?\b/iu, DOLLARS],
  [/€|\beuros?\b/iu, ['EUR']],
  [/£|\bpounds?\b|\bquid\b/iu, ['GBP']],
  [/¥|\byen\b|\byuan\b/iu, ['JPY', 'CNY']],
  [/₹|\brs\.?(?![\p{L}])|\brupees?\b/iu, ['INR']],
  [/₩|\bwon\b/iu, ['KRW']],
  [/\bfrancs?\b|\bfr\.(?=\s?\d)/iu, ['CHF']],
  [/zł/iu, ['PLN']],
];
/** What may stand right before or right behind the number. */
const BEFORE = /(?:(?<![\p{L}\p{N}])(?:[A-Z]{3}|(?:US|CA|C|AU|A)?\$|Rs\.?|Fr\.)|[€£¥₹₩])\s?$/u;
const AFTER =
  /^\s?(?:(?:US|CA|C|AU|A)?\$|[€£¥₹₩]|zł|[A-Z]{3}(?![\p{L}\p{N}])|(?:us |canadian |australian )?dollars?\b|bucks?\b|euros?\b|pounds?\b|quid\b|yen\b|yuan\b|rupees?\b|won\b|francs?\b)/iu;
const CODES: ReadonlySet<string> = new Set(
  'USD CAD AUD NZD SGD HKD MXN TWD EUR GBP JPY CNY INR KRW CHF PLN SEK NOK DKK CZK HUF BRL ZAR TRY RUB ILS THB AED SAR'.split(
    ' ',
  ),
);

const CODE_AT_DIGIT = new RegExp(String.raw`(?<![\p{L}\p{N}])(${[...CODES].join('|')}|Rs\.?)(?=\d)`, 'gu');

export function isCurrencyCode(code: string): boolean {
  return CODES.has(code);
}

/** Amounts with a currency; where there is none, all numbers. A percentage is no amount. */
export function findAmounts(text: string, decimal?: DecimalMark): AmountRead[] {
  // A number never follows a letter directly, and a code may: USD12.50.
  const plain = writtenOut(text).replace(CODE_AT_DIGIT, '$1 ');
  const amounts = findNumbers(plain)
    .filter(({ isPercent }) => !isPercent)
    .map((number) => readAmount(plain, number, decimal));
  const marked = amounts.filter(({ currencies }) => currencies !== undefined);
  return marked.length > 0 ? marked : amounts;
}

/** The right amount as a dataset writes it: a number, or a text that is one amount. */
export function parseAmount(given: unknown, decimal?: DecimalMark): AmountRead | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? { value: given, text: String(given) } : undefined;
  if (typeof given !== 'string') return undefined;
  const [first, second] = findAmounts(given, decimal);
  const isAll = first !== undefined && second === undefined && first.text.length >= given.trim().length - 1;
  return isAll ? first : undefined;
}

function readAmount(text: string, number: NumberRead, decimal: DecimalMark | undefined): AmountRead {
  const before = BEFORE.exec(text.slice(Math.max(0, number.start - 5), number.start))?.[0] ?? '';
  const after = AFTER.exec(text.slice(number.end, number.end + 24))?.[0] ?? '';
  const currencies = currenciesOf(before) ?? currenciesOf(number.text) ?? currenciesOf(after);
  const start = number.start - (currenciesOf(before) ? before.length : 0);
  const end = number.end + (currenciesOf(after) ? after.length : 0);
  // "-€5" with the sign before a code, and "($5)" as accountants write it, where it is no remark on another amount.
  const sign = /(?<![\p{L}\p{N})])[-−–]\s?$/u.exec(text.slice(Math.max(0, start - 3), start))?.[0] ?? '';
  const isBracketed =
    currencies !== undefined &&
    /(?:^|[:=]\s?|\bis\s)\($/.test(text.slice(Math.max(0, start - 5), start)) &&
    text.charAt(end) === ')';
  const isNegated = number.value > 0 && start < number.start && sign !== '';
  const from = start - (isNegated ? sign.length : isBracketed ? 1 : 0);
  const said = text.slice(from, end + (isBracketed ? 1 : 0)).trim();
  const read = byDecimal(number, decimal);
  const problem = isRange(text, number) ? 'is part of a range' : read.problem;
  return {
    value: isNegated || (isBracketed && read.value > 0) ? -read.value : read.value,
    ...(currencies ? { currencies } : {}),
    text: said,
    ...(problem === undefined ? {} : { problem: `${said} ${problem}` }),
  };
}

/** Numbers are read with a decimal point where "1.234" could be either; money has two decimals, so that this is said instead. */
function byDecimal(number: NumberRead, decimal: DecimalMark | undefined): { value: number; problem?: string } {
  const three = /(?<![\d.,])([1-9]\d{0,2})([.,])(\d{3})(?![\d.,])/.exec(number.text);
  if (!three) return { value: number.value };
  const [, whole = '', mark, rest = ''] = three;
  const [thousands, fraction] = [Number(whole + rest), Number(`${whole}.${rest}`)];
  const read = mark === ',' ? thousands : fraction;
  const scaled = (meant: number): number => (number.value / read) * meant;
  if (decimal !== undefined) return { value: scaled(mark === decimal ? fraction : thousands) };
  if (mark === ',') return { value: number.value };
  return { value: number.value, problem: `can be ${thousands} or ${fraction}, and the checker states no decimal mark` };
}

function currenciesOf(mark: string): ReadonlySet<string> | undefined {
  const code = /(?<![\p{L}])([A-Za-z]{3})(?![\p{L}])/u.exec(mark)?.[1]?.toUpperCase();
  if (code !== undefined && CODES.has(code)) return new Set([code]);
  const known = MARKS.find(([pattern]) => pattern.test(mark));
  return known && new Set(known[1]);
}
