/**
 * Expected texts of the form `^…$` are patterns. They are matched in linear time (RE2), which has no lookahead; because datasets use it
 * at the beginning of a pattern (`^(?!draft$).+$`, `^.*(?=.*white)(?=.*desk).*$`), it is allowed there and tried as a pattern of its own.
 */
import { compilePattern, type Pattern } from '../../contracts/index.ts';

export interface TextPattern {
  /** Undefined: the text is too long to be tried at every position. */
  test(text: string): boolean | undefined;
}

/** `problem` completes the sentence "The pattern cannot be used: …". */
export type CompiledText = { ok: true; pattern: TextPattern } | { ok: false; problem: string };

export interface PatternOptions {
  ignoreCase?: boolean;
}

/** Where `.*` stands before a lookahead, every position of the text may have to be tried. */
const MAX_TRIED = 2_000;
const ANYTHING = '.*';

export function isTextPattern(text: string): boolean {
  return text.length >= 2 && text.startsWith('^') && text.endsWith('$');
}

/**
 * @example
 * const compiled = compileTextPattern('^(?!main$).+$');
 * if (compiled.ok) compiled.pattern.test('draft'); // true
 */
export function compileTextPattern(source: string, { ignoreCase = false }: PatternOptions = {}): CompiledText {
  const { floats, ahead, rest } = splitLookaheads(source);
  const flags = ignoreCase ? '(?is)' : '(?s)';
  const parts: { pattern: Pattern; wanted: boolean }[] = [];
  for (const { source: part, wanted } of [{ source: rest, wanted: true }, ...ahead]) {
    const compiled = compilePattern(flags + part);
    if (!compiled.ok) return compiled;
    parts.push({ pattern: compiled.pattern, wanted });
  }
  const holds = (text: string): boolean => parts.every(({ pattern, wanted }) => pattern.test(text) === wanted);
  if (!floats) return { ok: true, pattern: { test: holds } };
  const test = (text: string): boolean | undefined => {
    if (holds(text) || holds('')) return true;
    if (text.length > MAX_TRIED) return undefined;
    for (let at = 1; at < text.length; at++) if (holds(text.slice(at))) return true;
    return false;
  };
  return { ok: true, pattern: { test } };
}

interface Split {
  /** `.*` stands before the lookaheads: they may hold at any position. */
  floats: boolean;
  ahead: { source: string; wanted: boolean }[];
  /** The pattern without them. */
  rest: string;
}

function splitLookaheads(source: string): Split {
  const plain: Split = { floats: false, ahead: [], rest: source };
  if (!source.startsWith('^')) return plain;
  const floats = source.startsWith(ANYTHING, 1);
  let at = floats ? 1 + ANYTHING.length : 1;
  const ahead: Split['ahead'] = [];
  while (source.startsWith('(?=', at) || source.startsWith('(?!', at)) {
    const end = endOfGroup(source, at);
    if (end === undefined) return plain;
    ahead.push({ source: `^(?:${source.slice(at + 3, end)})`, wanted: source[at + 2] === '=' });
    at = end + 1;
  }
  return ahead.length === 0 ? plain : { floats, ahead, rest: `^${source.slice(at)}` };
}

/** Where the group that opens at a position closes. */
function endOfGroup(source: string, start: number): number | undefined {
  let depth = 0;
  let isClass = false;
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (isClass) isClass = character !== ']';
    else if (character === '[') isClass = true;
    else if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return at;
  }
  return undefined;
}
