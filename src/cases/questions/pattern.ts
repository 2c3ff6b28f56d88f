/**
 * Patterns that match in linear time (RE2 syntax): no pattern of a dataset can hang the worker. contracts/ decides which patterns are
 * allowed, because it estimates the size of a pattern before it is compiled.
 */
import { RE2JS } from 're2js';
import { parseContract } from '../../contracts/index.ts';

/** The problem of a pattern, as the rest of a sentence; undefined if it can be used. */
export function patternProblem(pattern: string): string | undefined {
  const parsed = parseContract({ kind: 'url', pattern });
  return parsed.ok ? undefined : (parsed.problems[0]?.message ?? 'cannot be used').replace(/\.$/, '');
}

/**
 * Steps (characters × instructions) that one match may use: the most expensive pattern takes 120 ns per step, an ordinary one a hundredth.
 * Counted, not timed, so that a slow machine gives the same verdict.
 */
const MAX_STEPS = 20_000_000;

export type Matched =
  | { readonly ok: true; readonly isMatch: boolean }
  | { readonly ok: false; readonly problem: string };

export function matchPattern(pattern: string, flags: string, text: string, isFull: boolean): Matched {
  const problem = patternProblem(pattern);
  if (problem !== undefined) return { ok: false, problem };
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0);
  const compiled = RE2JS.compile(pattern, bits);
  if (compiled.programSize() * text.length > MAX_STEPS) {
    return { ok: false, problem: 'the response is too long for this pattern' };
  }
  return { ok: true, isMatch: isFull ? compiled.testExact(text) : compiled.test(text) };
}
