import { describe, expect, test } from 'vitest';
import { compileTextPattern } from './text-pattern.ts';

function matches(source: string, text: string): boolean | undefined {
  const compiled = compileTextPattern(source, { ignoreCase: true });
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.pattern.test(text);
}

describe('a text pattern', () => {
  test.each<[string, string, boolean]>([
    ['^MIT.*License$', 'mit public license', true],
    ['^a.b$', 'a\nb', true],
    ['^(?!main$).+$', 'main', false],
    ['^(?!main$).+$', 'mainline', true],
    ['^(?!from$|to$).*$', 'to', false],
    ['^(?!from$|to$).*$', 'page', true],
    ['^.*(?=.*white)(?=.*desk).* was added.*$', 'A desk, white, was added to the list', true],
    ['^.*(?=.*white)(?=.*desk).* was added.*$', 'A black desk was added to the list', false],
    // The lookahead stands after `.*`, so that the end of the text satisfies it whatever the text is.
    ['^.*(?!delete$).*$', 'delete', true],
    ['^.*(?=b)b$', 'aab', true],
    ['^.*(?=[)]b)..$', 'a)b', true],
  ])('%s on "%s": %s', (source, text, isMatch) => {
    expect(matches(source, text)).toBe(isMatch);
  });

  test('says that a text is too long to be tried at every position', () => {
    expect(matches('^.*(?=b)b$', 'a'.repeat(2_001))).toBeUndefined();
    expect(matches('^(?=.*b).*$', `${'a'.repeat(100_000)}b`)).toBe(true);
  });

  test.each<[string, RegExp]>([
    ['^a(?=b).*$', /lookaround/],
    ['^(a)\\1$', /backreference/],
    ['^(?=(a)\\1).*$', /backreference/],
    ['^(a$', /missing closing/],
  ])('%s is refused', (source, problem) => {
    expect(compileTextPattern(source)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});
