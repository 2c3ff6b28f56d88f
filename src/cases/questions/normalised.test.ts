import { expect, test } from 'vitest';
import { fold, looseForm, readable } from './plain-text.ts';

test('a text of characters that become eighteen each is not made eighteen times as long', () => {
  const text = '\uFDFA'.repeat(1_000_000);
  for (const form of [fold, looseForm, readable]) expect(form(text).length, form.name).toBe(text.length);
});

test('a long text of other characters is normalised, and a short one of such characters too', () => {
  expect(fold('Ａ'.repeat(1_000_000))).toBe('a'.repeat(1_000_000));
  expect(fold('\uFDFA').length).toBe(18);
});
