/**
 * Durations in text, in seconds: 1 h 30 min · 90 minutes · an hour and a half · PT1H30M · 01:33:00 · 1:30 hours. A clock with two parts
 * (4:13) can be hours or minutes: `clock` says which. Months and years have no fixed length and are not read; a number needs its unit.
 */
import { isRange } from './numbers.ts';
import { writtenOut } from './written-out.ts';

export interface DurationRead {
  readonly seconds: number;
  readonly text: string;
  readonly problem?: string;
}

export type ClockOrder = 'h:m' | 'm:s';

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:w|wks?|weeks?)$/i, 604_800],
  [/^(?:d|days?)$/i, 86_400],
  [/^(?:h|hrs?|hours?)$/i, 3600],
  [/^(?:m|mins?|minutes?)$/i, 60],
  [/^(?:s|secs?|seconds?)$/i, 1],
  [/^(?:ms|msecs?|milliseconds?)$/i, 0.001],
];
const UNIT = 'weeks?|wks?|w|days?|d|hours?|hrs?|h|minutes?|mins?|milliseconds?|msecs?|ms|m|seconds?|secs?|s';
const WORDS = 'an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half an?';
const VALUES = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** After a word a space is needed: "an" and "d" are no day in "and". */
const AMOUNT = String.raw`(?:\d{1,9}(?:[.,]\d{1,6})?(?:\s\d\/\d)?[\s-]?|\d\/\d[\s-]?|(?:${WORDS})[\s-])`;
const HALF = String.raw`\sand\sa\shalf\b`;
const PART = String.raw`${AMOUNT}(?:${UNIT})(?!\p{L})\.?(?:${HALF})?`;
const PARTS = new RegExp(String.raw`(?<![\p{L}\p{N}.,:/]|[-−])${PART}(?:(?:\s?,?\s?(?:and\s)?)${PART})*`, 'giu');
const ONE_PART = new RegExp(String.raw`(?<![\d.,:/])(${AMOUNT})(${UNIT})(?!\p{L})\.?(${HALF})?`, 'giu');
const CLOCK =
  /(?<![\p{L}\p{N}.,:/-])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])(?:\s?(hours?|hrs?|h|minutes?|mins?)\b|\s?([ap])\.?m\b)?/giu;
const ISO =
  /(?<![\p{L}\p{N}])P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:[.,]\d{1,6})?)S)?)?(?![\p{L}\p{N}])/gu;

export function findDurations(text: string, clock?: ClockOrder): DurationRead[] {
  const plain = writtenOut(text).replace(/\s+/g, ' ');
  const found: { at: number; read: DurationRead }[] = [];
  for (const match of plain.matchAll(PARTS)) {
    const [start, end] = [match.index, match.index + match[0].length];
    const read = sumOf(match[0]);
    found.push({
      at: start,
      read: isRange(plain, { start, end }) ? { ...read, problem: `${read.text} is part of a range` } : read,
    });
  }
  for (const match of plain.matchAll(CLOCK)) {
    // 10:30 am is a time of day.
    if (match[5] === undefined) found.push({ at: match.index, read: clockOf(match, clock) });
  }
  for (const match of plain.matchAll(ISO)) {
    const [text, ...parts] = match;
    if (/\d/.test(text)) found.push({ at: match.index, read: { seconds: isoSeconds(parts), text } });
  }
  return found.sort((a, b) => a.at - b.at).map(({ read }) => read);
}

/** The right duration as a dataset writes it; a number is in seconds. */
export function parseDuration(given: unknown, clock?: ClockOrder): DurationRead | undefined {
  if (typeof given === 'number')
    return Number.isFinite(given) && given >= 0 ? { seconds: given, text: `${given} s` } : undefined;
  if (typeof given !== 'string') return undefined;
  const [first, second] = findDurations(given, clock);
  const isAll = first !== undefined && second === undefined && first.text.length >= given.trim().length - 1;
  return isAll ? first : undefined;
}

function sumOf(text: string): DurationRead {
  let seconds = 0;
  const seen = new Set<number>();
  for (const [, amount = '', unit = '', half] of text.matchAll(ONE_PART)) {
    const size = UNITS.find(([pattern]) => pattern.test(unit))?.[1] ?? 0;
    seconds += (amountOf(amount) + (half === undefined ? 0 : 0.5)) * size;
    // "5 minutes, 7 minutes" is two durations and no sum.
    if (seen.has(size)) return { seconds, text, problem: `${text} names the same unit twice` };
    seen.add(size);
  }
  return { seconds, text: text.trim() };
}

function amountOf(amount: string): number {
  const lower = amount.toLowerCase().replace(/[\s-]$/, '');
  if (/^half/.test(lower)) return 0.5;
  if (/^an?$/.test(lower)) return 1;
  const word = VALUES.indexOf(lower);
  if (word >= 0) return word + 1;
  const [, whole, top, under] = /^(?:(\d+(?:[.,]\d+)?)(?:\s|$))?(?:(\d)\/(\d))?$/.exec(lower) ?? [];
  const fraction = top === undefined ? 0 : Number(top) / Number(under);
  return Number((whole ?? '0').replace(',', '.')) + fraction;
}

function clockOf([text, first, second, third, unit]: RegExpExecArray, clock: ClockOrder | undefined): DurationRead {
  const [a, b] = [Number(first), Number(second)];
  const said = text.trim();
  if (third !== undefined) return { seconds: a * 3600 + b * 60 + Number(third), text: said };
  const order = unit === undefined ? clock : unit.toLowerCase().startsWith('h') ? 'h:m' : 'm:s';
  const problem = `${said} can be hours and minutes or minutes and seconds, and the checker states no clock`;
  if (order === undefined) return { seconds: 0, text: said, problem };
  return { seconds: order === 'h:m' ? a * 3600 + b * 60 : a * 60 + b, text: said };
}

function isoSeconds(parts: readonly (string | undefined)[]): number {
  const sizes = [604_800, 86_400, 3600, 60, 1];
  return parts.reduce(
    (sum, part, index) => sum + (Number((part ?? '0').replace(',', '.')) || 0) * (sizes[index] ?? 0),
    0,
  );
}
