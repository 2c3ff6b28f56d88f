import { expect, test } from 'vitest';
import { usesClipboard } from './clipboard-keys.ts';

test.each([
  { type: 'rawKeyDown', key: 'c', modifiers: 2 },
  { type: 'rawKeyDown', key: 'V', code: 'KeyV', modifiers: 2 | 8 },
  { type: 'keyDown', key: 'x', modifiers: 4 },
  { type: 'rawKeyDown', key: 'Insert', modifiers: 8 },
  { type: 'rawKeyDown', key: 'Insert', modifiers: 2 },
  { type: 'rawKeyDown', key: 'Delete', modifiers: 8 },
  { type: 'rawKeyDown', key: 'ц', code: 'KeyC', modifiers: 2 },
  { type: 'keyDown', key: 'v', commands: ['paste'] },
  { type: 'keyDown', key: 'v', commands: ['PasteAndMatchStyle'] },
])('%o uses the clipboard', (event) => {
  expect(usesClipboard(event)).toBe(true);
});

test.each([
  { type: 'keyUp', key: 'c', modifiers: 2 },
  { type: 'char', key: 'v', modifiers: 2 },
  { type: 'keyDown', key: 'c' },
  { type: 'keyDown', key: 'C', modifiers: 8 },
  { type: 'rawKeyDown', key: 'a', code: 'KeyA', modifiers: 2, commands: ['selectAll'] },
  { type: 'rawKeyDown', key: 'Delete' },
  {},
])('%o does not', (event) => {
  expect(usesClipboard(event)).toBe(false);
});
