/**
 * Strict JSON for untrusted sources: bounded depth, no duplicate keys in one object (readers would disagree about which one
 * counts), no `__proto__`, no half surrogate pairs in keys. The text is scanned once before `JSON.parse`.
 */
import { MAX_JSON_DEPTH } from './limits.ts';

/** `rule` is the rule that was broken: `json`, `depth`, `duplicate_key`, `unsafe_key`. */
export class JsonRefusal extends Error {
  readonly rule: 'json' | 'depth' | 'duplicate_key' | 'unsafe_key';

  constructor(rule: JsonRefusal['rule'], message: string) {
    super(message);
    this.name = 'JsonRefusal';
    this.rule = rule;
  }
}

/** @throws JsonRefusal, whose message is a sentence. */
export function parseJson(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  scan(text, maxDepth);
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message is not used, because it quotes the untrusted text.
    throw new JsonRefusal('json', 'This is not valid JSON.');
  }
}

/** Checks brackets and keys only; JSON.parse checks the rest. */
function scan(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      if (keys && isKey(text, end)) addKey(keys, text.slice(at, end + 1));
      at = end;
    } else if (char === OPEN_OBJECT || char === OPEN_LIST) {
      if (open.length >= maxDepth) throw new JsonRefusal('depth', `JSON is nested deeper than ${maxDepth} levels.`);
      open.push(char === OPEN_OBJECT ? new Set() : null);
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      open.pop();
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;

function endOfString(text: string, start: number): number {
  // Most strings have no backslash, so a native search is faster than visiting every character.
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  if (end < 0) throw new JsonRefusal('json', 'This is not valid JSON: a string does not end.');
  return end;
}

function isEscaped(text: string, start: number, at: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes > start && text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next++;
  return text.charCodeAt(next) === COLON;
}

function addKey(keys: Set<string>, quoted: string): void {
  let key: unknown;
  try {
    key = JSON.parse(quoted);
  } catch {
    // The refusal says all that is to be said of a key that is not JSON.
    throw new JsonRefusal('json', 'This is not valid JSON.');
  }
  if (typeof key !== 'string') return;
  if (key === '__proto__' || !key.isWellFormed() || key.includes('\0')) {
    throw new JsonRefusal('unsafe_key', 'JSON has a forbidden key.');
  }
  if (keys.has(key))
    throw new JsonRefusal('duplicate_key', `JSON has the key ${quoted.slice(0, 60)} twice in one object.`);
  keys.add(key);
}
