/** Checks a body by a schema; what does not fit is said in the vendor's words. */
import type { z } from 'zod';
import { Refusal } from './refusal.ts';

export interface VendorWords {
  unknownField(name: string, path: string): string;
  invalidField(path: string, message: string): string;
  pathOf(path: readonly PropertyKey[]): string;
}

/** @throws Refusal */
export function readBody<T>(schema: z.ZodType<T>, body: unknown, words: VendorWords): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues);
  const path = words.pathOf(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const [name = ''] = issue.keys;
    const full = words.pathOf([...issue.path, name]);
    throw new Refusal('invalid_request', words.unknownField(name, full), full);
  }
  throw new Refusal('invalid_request', words.invalidField(path, issue?.message ?? 'Invalid input'), path);
}

type Issue = z.core.$ZodIssue;

/** Of a union, what the alternative that fits best complains about. */
function deepest(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues;
  if (first?.code !== 'invalid_union') return first;
  const inner = first.errors
    .map((alternative) => deepest(alternative))
    .filter((issue) => issue !== undefined)
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner && inner.path.length > 0 ? ({ ...inner, path: [...first.path, ...inner.path] } as Issue) : first;
}

/** Arguments as they stand in a conversation: a text that is no JSON object was an invalid call, and counts as one without arguments. */
export function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/** For protocols that do not say which result is an error: the client writes it into the text. */
export function saysError(text: string): boolean {
  return /^\s*(?:### )?error\b/i.test(text);
}
