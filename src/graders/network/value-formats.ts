/** Values that are read before they are compared. What can't be read is not equal. */
import { canonicalHash, iso, parseAmount, parseDate } from '../../cases/index.ts';
import type { ValueFormat } from '../../cases/schemas.ts';
import { comparable } from './comparable-text.ts';

/** Amounts may differ by rounding. */
const CURRENCY_TOLERANCE = 0.1;

export function isSameInFormat(expected: string, actual: string, format: ValueFormat): boolean {
  const read = READERS[format];
  const wanted = read(expected);
  const given = read(actual);
  if (wanted === undefined || given === undefined) return false;
  if (format === 'currency') return Math.abs(Number(wanted) - Number(given)) <= CURRENCY_TOLERANCE;
  return wanted === given;
}

type Reader = (text: string) => string | number | undefined;

const READERS: Readonly<Record<ValueFormat, Reader>> = {
  number: readNumber,
  currency: (text) => parseAmount(text, '.')?.value,
  date: readDate,
  list: (text) => {
    const items = text.split(',').map(comparable);
    return JSON.stringify(items.filter((item) => item !== '').sort());
  },
  json: (text) => {
    try {
      return canonicalHash(JSON.parse(text));
    } catch {
      return undefined;
    }
  },
  markdown: readMarkdown,
};

function readNumber(text: string): number | undefined {
  const digits = text.replaceAll(/[\s,]/g, '');
  const value = digits === '' ? Number.NaN : Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

/** Of two numbers with slashes, the first is the month. */
function readDate(text: string): string | undefined {
  const date = parseDate(text, 'mdy');
  return date === undefined || date.problem !== undefined ? undefined : iso(date);
}

/** Line ends, blank lines, list signs and spaces do not count. */
function readMarkdown(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^([ \t]*#{1,6})[ \t]+/gm, '$1 ')
    .replaceAll(/^([ \t]*)[*+-][ \t]+/gm, (_, indent: string) => `${indent === '' ? '' : '  '}- `)
    .replaceAll(/\[([^\]]{0,1000})\]/g, (_, inner: string) => `[${inner.trim().replaceAll(/\s+/g, ' ')}]`)
    .replaceAll(/\([ \t]*([^()\s]{0,2000})[ \t]*\)/g, '($1)')
    .trim();
}
