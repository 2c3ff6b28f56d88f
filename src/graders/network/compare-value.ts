/** Whether a value of a request is what a rule expects. */
import type { ExpectedValue, ValueFormat } from '../../cases/schemas.ts';
import { isText } from './comparable-text.ts';
import { isSameInFormat } from './value-formats.ts';

/**
 * @example
 * isExpected({ anyOf: ['a', 'b'] }, 'B'); // true
 * isExpected(['x', 'y'], ['y', 'x']); // true: the order does not count
 */
export function isExpected(expected: ExpectedValue, actual: unknown, format?: ValueFormat): boolean {
  if (isChoice(expected)) return expected.anyOf.some((each) => isExpected(each, actual, format));
  if (expected === null) return actual === null || actual === undefined;
  if (actual === null || actual === undefined) return false;
  if (Array.isArray(expected)) {
    const values = listOf(actual);
    return values !== undefined && isSameList(expected, values, (one, other) => isExpected(one, other, format));
  }
  if (typeof expected === 'object') {
    const fields = typeof actual === 'string' ? parsed(actual) : actual;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false;
    return Object.entries(expected).every(([name, value]) => isExpected(value, Reflect.get(fields, name)));
  }
  if (typeof actual === 'object') return false;
  return format === undefined
    ? isText(String(expected), String(actual))
    : isSameInFormat(String(expected), String(actual), format);
}

/** As many on both sides, and for each one a partner of its own. */
export function isSameList<A, B>(
  expected: readonly A[],
  actual: readonly B[],
  isSame: (expected: A, actual: B) => boolean,
): boolean {
  if (expected.length !== actual.length) return false;
  const left = [...actual];
  return expected.every((value) => {
    const at = left.findIndex((other) => isSame(value, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** The value that a text holds as JSON; the text itself where it holds none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isChoice(expected: ExpectedValue): expected is { anyOf: ExpectedValue[] } {
  return (
    typeof expected === 'object' &&
    expected !== null &&
    'anyOf' in expected &&
    Array.isArray(expected['anyOf']) &&
    Object.keys(expected).length === 1
  );
}

function listOf(actual: unknown): readonly unknown[] | undefined {
  const value = typeof actual === 'string' ? parsed(actual) : actual;
  return Array.isArray(value) ? value : undefined;
}
