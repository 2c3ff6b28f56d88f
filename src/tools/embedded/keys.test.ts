import { expect, test } from 'vitest';
import { keyOf, parseChord } from './keys.ts';

test('chords are read as people write them', () => {
  expect(parseChord('Enter')).toEqual({ modifiers: [], key: { key: 'Enter', code: 'Enter', number: 13, text: '\r' } });
  expect(parseChord('ctrl+shift+a')).toEqual({
    modifiers: [
      { key: 'Control', code: 'ControlLeft', number: 17, location: 1 },
      { key: 'Shift', code: 'ShiftLeft', number: 16, location: 1 },
    ],
    key: { key: 'A', code: 'KeyA', number: 65, text: 'A' },
  });
  expect(parseChord('Control++').key.key).toBe('+');
  expect(parseChord('+').key.code).toBe('Equal');
  expect(parseChord('Cmd+Left')).toMatchObject({ modifiers: [{ key: 'Meta' }], key: { key: 'ArrowLeft' } });
  expect(parseChord('Shift+1').key).toEqual({ key: '!', code: 'Digit1', number: 49, text: '!' });
  expect(parseChord('Esc').key.key).toBe('Escape');
  expect(parseChord('F11').key.number).toBe(122);
});

test('keys are named by their place on the keyboard, as the standard does', () => {
  expect(parseChord('KeyA').key).toEqual({ key: 'a', code: 'KeyA', number: 65, text: 'a' });
  expect(parseChord('Shift+KeyA').key).toEqual({ key: 'A', code: 'KeyA', number: 65, text: 'A' });
  expect(parseChord('Digit1').key).toEqual({ key: '1', code: 'Digit1', number: 49, text: '1' });
  expect(parseChord('Shift+Digit1').key).toEqual({ key: '!', code: 'Digit1', number: 49, text: '!' });
  expect(parseChord('Shift+Minus').key).toEqual({ key: '_', code: 'Minus', number: 189, text: '_' });
  expect(parseChord('NumpadEnter').key).toEqual({
    key: 'Enter',
    code: 'NumpadEnter',
    number: 13,
    text: '\r',
    location: 3,
  });
  expect(parseChord('Numpad7').key).toEqual({ key: '7', code: 'Numpad7', number: 103, text: '7', location: 3 });
  expect(parseChord('CapsLock').key).toEqual({ key: 'CapsLock', code: 'CapsLock', number: 20 });
  expect(parseChord('F24').key.number).toBe(135);
  expect(parseChord('ShiftRight').key).toEqual({ key: 'Shift', code: 'ShiftRight', number: 16, location: 2 });
  expect(parseChord('ControlRight+KeyC').modifiers).toEqual([
    { key: 'Control', code: 'ControlRight', number: 17, location: 2 },
  ]);
});

test('ControlOrMeta is the key of shortcuts on this machine', () => {
  const key = process.platform === 'darwin' ? 'Meta' : 'Control';
  expect(parseChord('ControlOrMeta+A').modifiers).toMatchObject([{ key, location: 1 }]);
});

test.each([
  ['Banana', '"Banana" is not a valid key chord: "Banana" is not a known key.'],
  ['Hyper+a', '"Hyper+a" is not a valid key chord: "Hyper" is not a modifier.'],
  ['', '"" is not a valid key chord: "" is not a known key.'],
  ['Key1', '"Key1" is not a valid key chord: "Key1" is not a known key.'],
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
