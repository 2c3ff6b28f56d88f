/** Patterns of a rule on a text. The spec is checked when it is read, so that a pattern which can't be used is a fault of the harness. */
import { compileTextPattern, type PatternOptions } from '../../cases/index.ts';
import { CannotTell } from './cannot-tell.ts';

export function isMatch(source: string, text: string, options: PatternOptions = {}): boolean {
  const compiled = compileTextPattern(source, options);
  if (!compiled.ok) throw new CannotTell(`The pattern ${source} cannot be used: ${compiled.problem}`);
  const isFound = compiled.pattern.test(text);
  if (isFound === undefined) throw new CannotTell(`A text is too long for the pattern ${source}.`);
  return isFound;
}
