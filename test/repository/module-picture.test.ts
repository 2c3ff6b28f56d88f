import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withoutShortcuts } from '../../scripts/module-picture/imports.ts';
import { modulePicture } from '../../scripts/module-picture/module-picture.ts';

const picture = path.resolve(import.meta.dirname, '../../docs/pictures/modules.svg');

test('docs/pictures/modules.svg is current (if not: node scripts/make-module-picture.ts)', () => {
  expect(readFileSync(picture, 'utf8')).toBe(modulePicture());
});

test('an import that a longer way says already is left out', () => {
  const imports = ['ab', 'bc', 'ac', 'cd', 'ad', 'be'].map(([from = '', to = '']) => ({ from, to }));
  expect(withoutShortcuts(imports).map(({ from, to }) => from + to)).toEqual(['ab', 'bc', 'cd', 'be']);
});
