/** Values that are read before they are compared. What can't be read is not equal. */
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
  currency: (text) => readNumber(text.replaceAll(/\p{Sc}|\b[A-Z]{3}\b/gu, '')),
  date: readDate,
  list: (text) => {
    const items = text.split(',').map(comparable);
    return JSON.stringify(items.filter((item) => item !== '').sort());
  },
  json: (text) => {
    try {
      return JSON.stringify(sorted(JSON.parse(text)));
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

/** 2023-02-01, and 2/1/2023 with the month first. */
function readDate(text: string): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})\s*$/.exec(text) ?? [];
  const [, usMonth, usDay, usYear] = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\s*$/.exec(text) ?? [];
  const parts = [year ?? usYear, month ?? usMonth, day ?? usDay];
  return parts.includes(undefined) ? undefined : parts.map(Number).join('-');
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

/** With the fields of every object in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, inner]) => [name, sorted(inner)]));
}
