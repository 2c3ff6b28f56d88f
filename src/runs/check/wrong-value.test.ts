import { expect, test } from 'vitest';
import { wrongValue } from './wrong-value.ts';

test.each([
  ['Kai 7', 'Kai 8'],
  ['9', '0'],
  ['Ines Holm', 'Ines Holn'],
  ['ada@example.com', 'ada@example.con'],
  ['Quiz', 'Quia'],
  ['HC-731-052.', 'HC-731-053.'],
  ['', 'x'],
  ['…', '…x'],
  ['Ä', 'x'],
  ['{{secret:KEY}}', '{{secret:KEY}}x'],
])('%j becomes %j', (right, wrong) => {
  expect(wrongValue(right)).toBe(wrong);
});
