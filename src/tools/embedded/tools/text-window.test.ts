import { expect, test } from 'vitest';
import { cutToWindow } from './text-window.ts';

const lines = Array.from({ length: 10 }, (_, n) => `line ${n}`);

test('what fits is given whole', () => {
  expect(cutToWindow(lines, 0, 1_000)).toBe(lines.join('\n'));
  expect(cutToWindow(lines, 8, 1_000)).toBe('line 8\nline 9');
});

test('text that does not fit is cut at a line, and the last line says how to continue', () => {
  expect(cutToWindow(lines, 2, 21)).toBe(
    'line 2\nline 3\nline 4\n(5 of 10 lines are not shown; to see more: offset 5, filter "interactive", or ref_id or selector of a part)',
  );
});

test('following the offsets shows every line once', () => {
  const seen: string[] = [];
  for (let offset = 0; offset < lines.length; ) {
    const shown = cutToWindow(lines, offset, 15)
      .split('\n')
      .filter((line) => !line.startsWith('('));
    seen.push(...shown);
    offset += shown.length;
  }
  expect(seen).toEqual(lines);
});

test('a line longer than the budget is cut itself; nothing, and nothing more, are said', () => {
  expect(cutToWindow(['x'.repeat(500)], 0, 200)).toBe(`${'x'.repeat(199)}…`);
  expect(cutToWindow([], 0, 200)).toBe('(nothing to read here)');
  expect(cutToWindow(lines, 10, 200)).toBe('(there are only 10 lines; offset 10 is behind the last)');
});
