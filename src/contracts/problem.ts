/** One problem in a contract: its path, and a sentence about what was found and what is expected. */
import type * as z from 'zod';
import { KINDS, type Kind, nodeSchemas } from './schema.ts';

export interface Problem {
  /** `$.children.0.op` */
  path: string;
  message: string;
}

export const childPath = (parent: string, key: string | number): string =>
  typeof key === 'number' || /^[\w-]{1,64}$/.test(key) ? `${parent}.${key}` : `${parent}[${quoted(key)}]`;

export function kindProblem(node: unknown, path: string): Problem {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) {
    return { path, message: `An assertion must be an object with a "kind", not ${typeName(node)}.` };
  }
  const kind = Object.hasOwn(node, 'kind') ? (node as { kind?: unknown }).kind : undefined;
  const message =
    kind === undefined
      ? `"kind" is missing; expected one of ${KINDS.join(', ')}.`
      : `"kind" must be one of ${KINDS.join(', ')}; it is ${shown(kind)}.`;
  return { path: `${path}.kind`, message };
}

/** The problems that one schema issue stands for. */
export function* problemsOf(issue: z.core.$ZodIssue, kind: Kind, node: object, path: string): Generator<Problem> {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield { path: childPath(path, key), message: unknownField(kind, key) };
    return;
  }
  const [field, index] = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (field === undefined) {
    yield { path, message: issue.message };
    return;
  }
  const value = Reflect.get(node, field);
  const fieldPath = childPath(path, field);
  if (index === undefined) {
    const missing = issue.code !== 'custom' && !Object.hasOwn(node, field);
    yield {
      path: fieldPath,
      message: missing ? `"${field}" is missing; expected ${expected(issue)}.` : sentence(`"${field}"`, issue, value),
    };
  } else {
    const entry = Array.isArray(value) ? value[Number(index)] : undefined;
    yield { path: childPath(fieldPath, index), message: sentence(`An entry of "${field}"`, issue, entry) };
  }
}

function unknownField(kind: Kind, key: string): string {
  if (kind === 'not' && key === 'children') return '"not" takes one "child", not a list of "children".';
  if ((kind === 'and' || kind === 'or') && key === 'child')
    return `"${kind}" takes a list of "children", not one "child".`;
  const fields = Object.keys(nodeSchemas[kind].shape).filter((field) => field !== 'kind');
  const known = fields.length === 0 ? 'it has none but "kind"' : `its fields are ${fields.join(', ')}`;
  return `"${kind}" has no field ${quoted(key)}; ${known}.`;
}

function sentence(subject: string, issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'custom':
      return `${subject} ${issue.message}`;
    case 'invalid_type':
      return issue.expected === 'int'
        ? `${subject} must be a whole number, not ${shown(value)}.`
        : `${subject} must be ${words(issue.expected)}, not ${typeName(value)}.`;
    case 'invalid_value':
      return `${subject} must be ${expected(issue)}; it is ${shown(value)}.`;
    case 'too_small':
      return issue.origin === 'array'
        ? `${subject} must hold at least one entry.`
        : `${subject} must be ${issue.minimum} or more, not ${shown(value)}.`;
    case 'too_big':
      return issue.origin === 'array'
        ? `${subject} may hold ${issue.maximum} entries at most.`
        : `${subject} must be ${issue.maximum} or less, not ${shown(value)}.`;
    case 'invalid_union':
      if (issue.path.at(-2) === 'status_in') return `${subject} must be a number or "blocked", not ${typeName(value)}.`;
      return `${subject} must be true, false, a string or a list of strings.`;
    default:
      return `${subject}: ${issue.message}.`;
  }
}

function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return words(issue.expected);
  if (issue.code === 'invalid_value') {
    return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
  }
  return 'an assertion';
}

const WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
};
const words = (type: string) => WORDS[type] ?? type;

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : typeName(value);
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
