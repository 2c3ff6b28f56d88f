import { describe, expect, test } from 'vitest';
import { parseSelector } from './selector.ts';

// Accepted ones were tried in Chromium 156: none of them makes querySelector throw.
const REAL = [
  'a',
  '*',
  'my-element',
  '#main .card > h2',
  'ul li:first-child a[href^="https://"]',
  'a,b , c',
  'h1+p ~ p',
  '.a.b#c[d]:hover',
  ':root',
  'input:not([type="hidden"]):not(:disabled)',
  'article:has(> img, + p)',
  'li:is(.on, .off) a',
  ':where(a, b) :where(c)',
  ':is(:has(a))',
  'tr:nth-child(2n+1 of .x)',
  'tr:nth-child( odd )',
  'tr:nth-last-child(-n + 3)',
  'td:nth-of-type(2)',
  'A:HOVER',
  '[data-id="a\\"b"]',
  "[title='x' i]",
  '[title=x I]',
  '[ a ~= b ]',
  '[a|=en]',
  '[*|href]',
  '[|href]',
  '*|a',
  '|a',
  '*|*',
  '.\\31 23',
  '.sm\\:flex',
  '.w-1\\/2',
  '.é',
  '.🎉',
  '.--x',
  '-a',
  ':lang(en-US)',
  ':dir(rtl)',
  ':host(.open) .x',
  '/* one */ a /* two */ b',
  'a/**/.b',
  'a\n>\tb',
  '& .x',
  ':popover-open',
  ':state(checked)',
];

const BROKEN: [string, string][] = [
  ['', 'expected a selector at character 1, but the selector ends there.'],
  ['  ', 'expected a selector at character 3, but the selector ends there.'],
  ['div[', 'expected the name of an attribute at character 5, but the selector ends there.'],
  ['[a', 'expected "]" to close "[" at character 3, but the selector ends there.'],
  ['[a=]', 'expected a quoted value or a name at character 4, but found "]".'],
  ['[a=1]', 'expected a quoted value or a name at character 4, but found "1]".'],
  ['[a="b]', 'expected a quoted value or a name at character 4, but found ""b]".'],
  ['[a!=b]', 'expected "]" to close "[" at character 3, but found "!=b]".'],
  ['[a=b s]', 'expected "]" to close "[" at character 6, but found "s]".'],
  ['[x|a]', 'expected "]" to close "[" at character 3, but found "|a]".'],
  ['a]', 'expected the end of the selector at character 2, but found "]".'],
  ['a,,b', 'expected a selector at character 3, but found ",b".'],
  ['a,', 'expected a selector at character 3, but the selector ends there.'],
  ['> a', 'expected a selector at character 1, but found "> a".'],
  ['a >', 'expected a selector at character 4, but the selector ends there.'],
  ['>>', 'expected a selector at character 1, but found ">>".'],
  ['a >> b', 'expected a selector at character 4, but found "> b".'],
  ['a > > b', 'expected a selector at character 5, but found "> b".'],
  ['a/**/b', 'expected the end of the selector at character 6, but found "b".'],
  ['*a', 'expected the end of the selector at character 2, but found "a".'],
  ['.1a', 'expected a class name behind "." at character 2, but found "1a".'],
  ['#1a', 'expected an id behind "#" at character 2, but found "1a".'],
  ['a\\', 'expected the end of the selector at character 2, but found "\\".'],
  ['a:', 'expected the name of a pseudo-class behind ":" at character 3, but the selector ends there.'],
  [
    'a:contains("x")',
    'Chromium does not support the pseudo-class ":contains()"; expected one that it supports at character 2, but found ":contains("x".',
  ],
  [
    'a:visible',
    'Chromium does not support the pseudo-class ":visible"; expected one that it supports at character 2, but found ":visible".',
  ],
  [
    'a:is',
    'Chromium does not support the pseudo-class ":is"; expected one that it supports at character 2, but found ":is".',
  ],
  [
    'a:hover(b)',
    'Chromium does not support the pseudo-class ":hover()"; expected one that it supports at character 2, but found ":hover(b)".',
  ],
  ['a:is(b', 'expected ")" to close ":is(" at character 7, but the selector ends there.'],
  ['a:is(b))', 'expected the end of the selector at character 8, but found ")".'],
  ['(a)', 'expected a selector at character 1, but found "(a)".'],
  [':not()', 'expected a selector at character 6, but found ")".'],
  [':is(a,)', 'expected a selector at character 7, but found ")".'],
  [
    ':has(:has(a))',
    '":has()" cannot stand inside another ":has()"; expected another selector at character 6, but found ":has(a))".',
  ],
  [':nth-child()', 'expected a number, "odd", "even" or a step such as 2n+1 at character 12, but found ")".'],
  [':nth-child(2 n)', 'expected ")" to close ":nth-child(" at character 14, but found "n)".'],
  [':nth-of-type(2 of a)', 'expected ")" to close ":nth-of-type(" at character 16, but found "of a)".'],
  [':dir(up)', 'expected ltr or rtl at character 6, but found "up)".'],
  [
    'a::before',
    'a pseudo-element is not an element of the page; expected a pseudo-class or the end of the selector at character 2, but found "::before".',
  ],
  [
    'a:after',
    'a pseudo-element is not an element of the page; expected a pseudo-class or the end of the selector at character 2, but found ":after".',
  ],
  [
    'svg|a',
    'the namespace prefix "svg" is declared nowhere (use "*|"); expected a selector without it at character 4, but found "|a".',
  ],
  ['-->a', 'expected a selector at character 1, but found "-->a".'],
  ['a{}', 'expected the end of the selector at character 2, but found "{}".'],
  ['>>> a', 'expected a selector at character 1, but found ">>> a".'],
  ['a >>>', 'expected a selector at character 6, but the selector ends there.'],
  ['a >>> >>> b', 'expected a selector at character 7, but found ">>> b".'],
  [
    ':is(a >>> b)',
    '">>>" can only stand outside of parentheses; expected another selector at character 7, but found ">>> b)".',
  ],
];

describe('a selector', () => {
  test.each(REAL)('is accepted: %s', (selector) => {
    expect(parseSelector(selector)).toEqual({ ok: true, hops: [selector.trim()] });
  });

  test.each(BROKEN)('is refused: %s', (selector, problem) => {
    expect(parseSelector(selector)).toEqual({ ok: false, problem });
  });

  test('is cut into hops at >>>, outside of strings only', () => {
    expect(parseSelector('my-app>>>form.x, form.y >>> [title=">>>"]')).toEqual({
      ok: true,
      hops: ['my-app', 'form.x, form.y', '[title=">>>"]'],
    });
  });

  test('of 4096 hostile characters is refused without running out of stack or time', () => {
    for (const part of [':is(', '[', '/*', '/* *', '\\', '"', ':not(a ', 'a>', '\\61 ', '--']) {
      const parsed = parseSelector(part.repeat(4096 / part.length));
      expect([part, parsed.ok]).toEqual([part, part === '\\61 ' || part === '\\' || part === '--']);
    }
    expect(parseSelector(`${':is('.repeat(33)}a${')'.repeat(33)}`)).toEqual({
      ok: false,
      problem: 'parentheses nest more than 32 deep; expected fewer at character 133, but found "a)))))))))))".',
    });
  });
});
