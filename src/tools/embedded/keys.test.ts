import { expect, test } from 'vitest';
import { keyOf, parseChord } from './keys.ts';

test('chords are read as people write them', () => {
  expect(parseChord('Enter')).toEqual({ modifiers: [], key: { key: 'Enter', code: 'Enter', number: 13, text: '\r' } });
  expect(parseChord('ctrl+shift+a')).toEqual({
    modifiers: ['Control', 'Shift'],
    key: { key: 'A', code: 'KeyA', number: 65, text: 'A' },
  });
  expect(parseChord('Control++').key.key).toBe('+');
  expect(parseChord('+').key.code).toBe('Equal');
  expect(parseChord('Cmd+Left')).toMatchObject({ modifiers: ['Meta'], key: { key: 'ArrowLeft' } });
  expect(parseChord('Shift+1').key).toEqual({ key: '!', code: 'Digit1', number: 49, text: '!' });
  expect(parseChord('Esc').key.key).toBe('Escape');
  expect(parseChord('F11').key.number).toBe(122);
});

test.each([
  ['Banana', '"Banana" is not a valid key chord: "Banana" is not a known key.'],
  ['Hyper+a', '"Hyper+a" is not a valid key chord: "Hyper" is not a modifier.'],
  ['', '"" is not a valid key chord: "" is not a known key.'],
  ['Enter+a', '"Enter+a" is not a valid key chord: "Enter" is not a modifier.'],
])('%s is refused', (chord, message) => {
  expect(() => parseChord(chord)).toThrow(message);
});

test('every printable ASCII character has a key, and others have none', () => {
  for (let code = 32; code < 127; code++)
    expect(keyOf(String.fromCharCode(code))?.text).toBe(String.fromCharCode(code));
  expect(keyOf('é')).toBeUndefined();
  expect(keyOf('🙂')).toBeUndefined();
});
