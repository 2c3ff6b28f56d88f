/** What a schema's issue means in a task: where, and a sentence that says what is wrong and what is expected. */
import type { z } from 'zod';
import { childPath, type Problem } from '../../contracts/index.ts';
import { GRADER_KINDS } from '../graders/grader-spec.ts';

/** Stable: what a program may go by. The last four are of files, not of fields. */
export type TaskProblemCode =
  | 'unknown_field'
  | 'missing'
  | 'wrong_type'
  | 'too_small'
  | 'too_big'
  | 'bad_value'
  | 'bad_contract'
  | 'duplicate_id'
  | 'unreadable'
  | 'not_json'
  | 'no_tasks';

/** Fields of version 0.1.0 that have another name now. A file that uses the old one is told: nothing in it is ignored. */
const RENAMED: Readonly<Record<string, string>> = { gates: 'guardedActions' };

export interface TaskProblem extends Problem {
  code: TaskProblemCode;
}

export function* taskProblems(issue: z.core.$ZodIssue, task: object): Generator<TaskProblem> {
  // As in the contract, which is a part of the task: `$.success.children.0.op`, `$.tags.0`.
  const path = issue.path.reduce<string>((at, key) => childPath(at, typeof key === 'symbol' ? String(key) : key), '$');
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const now = path === '$' && Object.hasOwn(RENAMED, key) ? RENAMED[key] : undefined;
      const message = now === undefined ? `Unknown field "${key}".` : `"${key}" is called "${now}" now.`;
      yield { path: childPath(path, key), code: 'unknown_field', message };
    }
    return;
  }
  const value = issue.path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), task);
  yield { path, code: codeOf(issue, value), message: sentence(subjectOf(issue.path), issue, value) };
}

function codeOf({ code }: z.core.$ZodIssue, value: unknown): TaskProblemCode {
  if (code === 'invalid_type') return value === undefined ? 'missing' : 'wrong_type';
  return code === 'too_small' || code === 'too_big' ? code : 'bad_value';
}

/** `"maxSteps"`, or of a list `An entry of "tags"`. */
function subjectOf(path: readonly PropertyKey[]): string {
  const name = path.at(-1);
  return typeof name === 'number' ? `An entry of "${String(path.at(-2))}"` : `"${String(name)}"`;
}

function sentence(subject: string, issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return `${subject} is missing; expected ${words(issue.expected)}.`;
      return `${subject} must be ${words(issue.expected)}, not ${shown(value)}.`;
    case 'too_small':
      if (issue.origin === 'string') return `${subject} must not be empty.`;
      return `${subject} must be ${issue.minimum} or more, not ${shown(value)}.`;
    case 'too_big':
      if (issue.origin === 'string') return `${subject} may have ${issue.maximum} characters at most.`;
      if (issue.origin === 'array') return `${subject} may hold ${issue.maximum} entries at most.`;
      return `${subject} must be ${issue.maximum} or less, not ${shown(value)}.`;
    case 'invalid_union':
      return `${subject} must be one of ${choicesOf(issue).join(', ')}, not ${shown(value)}.`;
    default:
      return `${subject} ${issue.message}.`;
  }
}

/** Of a choice by one field: the network's `mode`, a grader's `grader`. */
function choicesOf({ path }: z.core.$ZodIssue): readonly string[] {
  return path.at(-1) === 'grader' ? GRADER_KINDS : ['live', 'replay', 'blocked'];
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a whole number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function words(type: string): string {
  return WORDS[type] ?? type;
}

function shown(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : 'an object';
}
