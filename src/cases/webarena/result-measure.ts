/** Data of an answer by the schema of WebArena-Verified: which checker compares it, and the right values in the form that the checker reads. */
import type { Checker } from '../questions/checker-schema.ts';
import { readUrl } from '../questions/read-url.ts';
import type { ResultSchema } from './verified-row.ts';

export interface ResultMeasure {
  readonly checker: Checker;
  readonly expected: unknown;
}

const TEXT: Checker = { kind: 'exact', loose: true, patterns: true };
const YES = ['true', 'yes', 'y', '1', 't', 'on'];
const NO = ['false', 'no', 'n', '0', 'f', 'off'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Tolerances are those of WebArena-Verified. */
const BY_FORMAT: Readonly<Record<string, Checker>> = {
  number: { kind: 'numeric' },
  integer: { kind: 'numeric' },
  currency: { kind: 'currency', abs_tol: 0.1, decimal: '.' },
  date: { kind: 'date', order: 'mdy' },
  duration: { kind: 'duration', abs_tol: 180, rel_tol: 0.1, clock: 'm:s' },
  distance: { kind: 'distance', abs_tol: 10, rel_tol: 0.02 },
};

/** A list: each element may be several alternatives, which is a list again. */
export function listMeasure(
  schema: ResultSchema | undefined,
  expected: readonly unknown[],
  ordered: boolean,
): ResultMeasure {
  const elements = expected.map((one) => valueMeasure(schema, one, ordered));
  const [first] = elements;
  const isUrl = elements.every(({ checker }) => checker.kind === 'url');
  // Of objects, each may have other keys; of texts, some may be no address.
  const items =
    first && (first.checker.kind !== 'url' || isUrl) ? merged(elements.map(({ checker }) => checker)) : TEXT;
  return {
    checker: { kind: 'list', items, ...(ordered ? { ordered } : {}) },
    expected: elements.map((one) => one.expected),
  };
}

function valueMeasure(schema: ResultSchema = {}, expected: unknown, ordered: boolean): ResultMeasure {
  const name = schema.format ?? schema.type ?? 'string';
  if (name === 'array' && Array.isArray(expected)) return listMeasure(schema.items, expected, ordered);
  if (isObject(expected)) return objectMeasure(schema, expected, ordered);
  const alternatives = Array.isArray(expected) ? expected : [expected];
  const all = (checker: Checker, values: readonly unknown[]): ResultMeasure => ({
    checker,
    expected: values.length === 1 ? values[0] : values,
  });
  if (name === 'boolean')
    return all(
      TEXT,
      alternatives.flatMap((one) => (one === true ? YES : one === false ? NO : [one])),
    );
  if (name === 'month') return all(TEXT, alternatives.flatMap(monthForms));
  if (name === 'url' && alternatives.every((one) => typeof one === 'string' && readUrl(one)))
    return all({ kind: 'url' }, alternatives);
  return all(BY_FORMAT[name] ?? TEXT, alternatives);
}

function objectMeasure(schema: ResultSchema, expected: Record<string, unknown>, ordered: boolean): ResultMeasure {
  const isPlace = schema.format === 'coordinates';
  const keys: Record<string, Checker> = {};
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(expected)) {
    const own = valueMeasure(schema.properties?.[key], value, ordered);
    keys[key] = isPlace ? { kind: 'numeric', abs_tol: 1e-5 } : own.checker;
    values[key] = own.expected;
  }
  return { checker: { kind: 'json', keys }, expected: values };
}

/** The elements of a list share their schema, so that only the keys of objects can differ. */
function merged([first = TEXT, ...more]: readonly Checker[]): Checker {
  if (first.kind !== 'json') return first;
  const keys = Object.assign({}, first.keys, ...more.map((one) => (one.kind === 'json' ? one.keys : {})));
  return { ...first, keys };
}

function monthForms(month: unknown): unknown[] {
  const at = MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === String(month).slice(0, 3).toLowerCase());
  if (at < 0) return [month];
  const name = MONTHS[at] ?? '';
  return [name, name.slice(0, 3), String(at + 1), String(at + 1).padStart(2, '0')];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
