/** Keys and chords as people write them ("Control+Shift+A", "Enter"), and what a US keyboard sends for them. */
import { ToolFailure } from './failure.ts';

export interface Key {
  key: string;
  code: string;
  /** windowsVirtualKeyCode. */
  number: number;
  /** The text that it types, if any. */
  text?: string;
}

export const MODIFIERS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
export type Modifier = keyof typeof MODIFIERS;

export interface Chord {
  modifiers: Modifier[];
  key: Key;
}

const NAMED: Record<string, Key> = {};
const add = (key: string, number: number, text?: string, code = key): void => {
  NAMED[key.toLowerCase()] = { key, code, number, ...(text === undefined ? {} : { text }) };
};
add('Enter', 13, '\r');
add('Tab', 9);
add('Backspace', 8);
add('Delete', 46);
add('Insert', 45);
add('Escape', 27);
add('Home', 36);
add('End', 35);
add('PageUp', 33);
add('PageDown', 34);
add('ArrowLeft', 37);
add('ArrowUp', 38);
add('ArrowRight', 39);
add('ArrowDown', 40);
add('ContextMenu', 93);
add('Shift', 16, undefined, 'ShiftLeft');
add('Control', 17, undefined, 'ControlLeft');
add('Alt', 18, undefined, 'AltLeft');
add('Meta', 91, undefined, 'MetaLeft');
for (let i = 1; i <= 12; i++) add(`F${i}`, 111 + i);
NAMED['space'] = { key: ' ', code: 'Space', number: 32, text: ' ' };

const ALIASES: Record<string, string> = {
  return: 'enter',
  esc: 'escape',
  del: 'delete',
  ctrl: 'control',
  cmd: 'meta',
  command: 'meta',
  option: 'alt',
  left: 'arrowleft',
  right: 'arrowright',
  up: 'arrowup',
  down: 'arrowdown',
};

/** Printed characters: code, number, and the character with Shift. */
const SYMBOLS: readonly (readonly [plain: string, shifted: string, code: string, number: number])[] = [
  ['`', '~', 'Backquote', 192],
  ['-', '_', 'Minus', 189],
  ['=', '+', 'Equal', 187],
  ['[', '{', 'BracketLeft', 219],
  [']', '}', 'BracketRight', 221],
  ['\\', '|', 'Backslash', 220],
  [';', ':', 'Semicolon', 186],
  ["'", '"', 'Quote', 222],
  [',', '<', 'Comma', 188],
  ['.', '>', 'Period', 190],
  ['/', '?', 'Slash', 191],
];
const OVER_DIGITS = ')!@#$%^&*(';

/** The key that types a character; undefined where a US keyboard has none. */
export function keyOf(character: string): Key | undefined {
  if (character === ' ') return NAMED['space'];
  if (character === '\n' || character === '\r') return NAMED['enter'];
  if (character === '\t') return NAMED['tab'];
  const text = character;
  if (/^[a-z]$/i.test(character)) {
    const upper = character.toUpperCase();
    return { key: character, code: `Key${upper}`, number: upper.charCodeAt(0), text };
  }
  if (/^[0-9]$/.test(character))
    return { key: character, code: `Digit${character}`, number: character.charCodeAt(0), text };
  const digit = OVER_DIGITS.indexOf(character);
  if (character.length === 1 && digit >= 0) return { key: character, code: `Digit${digit}`, number: 48 + digit, text };
  const symbol = SYMBOLS.find(([plain, shifted]) => plain === character || shifted === character);
  return symbol && { key: character, code: symbol[2], number: symbol[3], text };
}

/** @example parseChord('Control+Shift+a') // { modifiers: ['Control', 'Shift'], key: { key: 'A', … } } */
export function parseChord(chord: string): Chord {
  // The last plus of "Control++" is the key itself.
  const parts =
    chord === '+' ? ['+'] : chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part): Modifier => {
    const name = NAMED[alias(part)]?.key;
    if (name === 'Alt' || name === 'Control' || name === 'Meta' || name === 'Shift') return name;
    throw badKey(chord, `"${part}" is not a modifier`);
  });
  const named = NAMED[alias(last)];
  if (named) return { modifiers, key: named };
  const key = [...last].length === 1 ? keyOf(modifiers.includes('Shift') ? shifted(last) : last) : undefined;
  if (!key) throw badKey(chord, `"${last}" is not a known key`);
  return { modifiers, key };
}

function alias(name: string): string {
  const lower = name.trim().toLowerCase();
  return ALIASES[lower] ?? lower;
}

function shifted(character: string): string {
  if (/^[a-z]$/.test(character)) return character.toUpperCase();
  if (/^[0-9]$/.test(character)) return OVER_DIGITS[Number(character)] ?? character;
  return SYMBOLS.find(([plain]) => plain === character)?.[1] ?? character;
}

function badKey(chord: string, why: string): ToolFailure {
  const hint = 'Write keys like "Enter", "ArrowDown", "a" or "Control+Shift+A".';
  return new ToolFailure('bad_argument', `"${chord}" is not a valid key chord: ${why}.`, hint);
}
