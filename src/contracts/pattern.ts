/**
 * Patterns that match in linear time: RE2 syntax, no flags, searched anywhere in the text.
 * No pattern from a task can hang the harness; what cannot be matched in linear time is refused with a reason.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { messageOf } from '../errors/index.ts';
import { MAX_PATTERN_SIZE } from './limits.ts';
import { patternSize } from './pattern-size.ts';

export interface Pattern {
  /** How many steps one character of text may cost. */
  readonly stepsPerCharacter: number;
  /** Whether the pattern matches anywhere in the text. */
  test(text: string): boolean;
}

/** `problem` completes the sentence "The pattern cannot be used: …". */
export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; problem: string };

// Compiling takes about 60 µs, a hundred times as long as a match, so compiled patterns are cached; the oldest is evicted first.
const kept = new Map<string, CompiledPattern & { ok: true }>();
const MAX_KEPT = 512;
// A pattern keeps its automaton, up to 8 MB after long hostile texts: after this many steps it is compiled again.
const MAX_STEPS_KEPT = 2_000_000;

/**
 * @example
 * const compiled = compilePattern('orders/[0-9]+$');
 * if (compiled.ok) compiled.pattern.test('https://shop.example/orders/17'); // true
 */
export function compilePattern(source: string): CompiledPattern {
  const known = kept.get(source);
  if (known) return known;
  if (patternSize(source) > MAX_PATTERN_SIZE) {
    return refuse(`its repetitions write out to more than ${MAX_PATTERN_SIZE} instructions; use smaller counts.`);
  }
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(source);
  } catch (thrown) {
    return refuse(whyRefused(thrown, source));
  }
  const stepsPerCharacter = isLiteral(source) ? 1 : expression.programSize();
  let steps = 0;
  const compiled = {
    ok: true as const,
    pattern: {
      stepsPerCharacter,
      test(text: string): boolean {
        steps += text.length * stepsPerCharacter;
        if (steps > MAX_STEPS_KEPT) kept.delete(source);
        return expression.test(text);
      },
    },
  };
  if (kept.size >= MAX_KEPT) for (const oldest of kept.keys()) if (kept.delete(oldest)) break;
  kept.set(source, compiled);
  return compiled;
}

const refuse = (problem: string) => ({ ok: false as const, problem });

/** Whether every character stands for itself: then a plain search finds it, and its cost does not grow with the pattern. */
const isLiteral = (source: string) => /^(?:[^\\^$.*+?()[\]{}|]|\\[^A-Za-z0-9])*$/.test(source);

function whyRefused(thrown: unknown, source: string): string {
  if (!(thrown instanceof RE2JSSyntaxException)) return `${messageOf(thrown)}.`;
  const part = thrown.input === '(?P' && source.includes('(?P=') ? '(?P=' : (thrown.input ?? '');
  if (/^\(\?<?[=!]/.test(part)) {
    return `lookaround, here ${part.slice(0, part[2] === '<' ? 4 : 3)}, cannot be matched in linear time; say it with "and", "or" and "not" of plain patterns.`;
  }
  if (/^\\[1-9k]/.test(part) || part === '(?P=') {
    return `a backreference, here ${part}, cannot be matched in linear time; write out what it should repeat.`;
  }
  if (thrown.error === 'invalid repeat count')
    return `a repetition such as ${part} must count upwards, and at most to 1000.`;
  return `${thrown.error}${part === '' ? '' : ` at ${part.slice(0, 40)}`}.`;
}
