/**
 * Searches everything that is sent out (a pack, a script, a bookmarklet, a token) for answers, checkers and criteria, which must not be in it.
 * Tokens and base64 are decoded. A text that is in the item's own prompt is not a leak, because prompts contain options.
 */
import type { Item } from '../../cases/index.ts';

export interface Leak {
  readonly item_id: string;
  readonly what: 'answer' | 'checker' | 'criteria' | 'field';
  readonly secret: string;
}

/** Shorter texts, such as "B" or "42", occur everywhere by chance. They still count as whole values. */
const MIN_INSIDE = 4;
const FIELDS = ['answer', 'answers', 'checker', 'criteria', 'choices', 'pattern', 'abs_tol', 'rel_tol', 'accept'];

export function findLeaks(leaving: unknown, items: readonly Item[]): Leak[] {
  const leaves: Leaf[] = [];
  collect(leaving, leaves);
  const prompts = items.map(({ prompt_text }) => prompt_text);
  const isPrompt = new Set(prompts);
  // Scripts contain prompts as JSON, some with all non-ASCII characters escaped.
  const texts = leaves.filter(({ kind, text }) => kind === 'value' && !isPrompt.has(text)).map(({ text }) => text);
  const keys = new Set(leaves.filter(({ kind }) => kind === 'key').map(({ text }) => text));
  const leaks: Leak[] = FIELDS.filter((field) => keys.has(field)).map((secret) => ({
    item_id: '',
    what: 'field',
    secret,
  }));
  for (const item of items) {
    for (const { what, secret } of secretsOf(item)) {
      const isShown = prompts.some((prompt) => prompt.includes(secret));
      const isThere = texts.some((text) =>
        secret.length < MIN_INSIDE || isShown ? text === secret && !isName(secret, items) : holds(text, secret),
      );
      if (isThere) leaks.push({ item_id: item.id, what, secret });
    }
  }
  return leaks;
}

interface Leaf {
  readonly kind: 'key' | 'value';
  readonly text: string;
}

function collect(value: unknown, leaves: Leaf[]): void {
  if (typeof value === 'string') {
    leaves.push({ kind: 'value', text: value });
    for (const part of value.match(/[A-Za-z0-9_+/-]{16,}={0,2}/g) ?? []) opened(part, leaves);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) leaves.push({ kind: 'key', text: key });
      collect(inner, leaves);
    }
  }
}

function opened(part: string, leaves: Leaf[]): void {
  const text = Buffer.from(part, 'base64url').toString('utf8');
  leaves.push({ kind: 'value', text });
  try {
    collect(JSON.parse(text), leaves);
  } catch {
    // It is not JSON; its text has been added already.
  }
}

function holds(text: string, secret: string): boolean {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return text.includes(secret) || text.includes(escaped);
}

/** Ids and sections are public, even if they equal an answer. */
function isName(secret: string, items: readonly Item[]): boolean {
  return items.some(({ id, section }) => id === secret || section === secret);
}

/** Fields of a checker whose values are words of its language and say nothing of the answer. */
const SETTINGS: ReadonlySet<string> = new Set(
  'kind flags match host query fragment order currency decimal clock separator'.split(' '),
);

function secretsOf({ answer, checker, criteria }: Item): { what: Leak['what']; secret: string }[] {
  return [
    ...stringsIn(answer).map((secret) => ({ what: 'answer' as const, secret })),
    ...stringsIn(checker, SETTINGS).map((secret) => ({ what: 'checker' as const, secret })),
    ...stringsIn(criteria).map((secret) => ({ what: 'criteria' as const, secret })),
  ];
}

function stringsIn(value: unknown, without: ReadonlySet<string> = new Set()): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (without.has(key) ? [] : stringsIn(inner, without)));
}
