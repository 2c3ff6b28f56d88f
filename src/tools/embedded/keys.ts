/**
 * Keys and chords as people write them ("Control+Shift+A", "Enter") or as the standard names keys by their place ("KeyA", "NumpadEnter",
 * "ShiftRight"), and what a US keyboard sends for them.
 */
import { ToolFailure } from './failure.ts';

export interface Key {
  key: string;
  code: string;
  /** windowsVirtualKeyCode. */
  number: number;
  /** The text that it types, if any. */
  text?: string;
  /** 1 and 2: the left and the right one of two. 3: of the number pad. */
  location?: 1 | 2 | 3;
}

export const MODIFIERS = { Alt: 1, Control: 2, Meta: 4, Shift: 8 } as const;
export type Modifier = keyof typeof MODIFIERS;
const MODIFIER_NUMBERS: Record<Modifier, number> = { Alt: 18, Control: 17, Meta: 91, Shift: 16 };

/** The key of shortcuts: Meta on a Mac, Control elsewhere. */
export const CONTROL_OR_META: Modifier = process.platform === 'darwin' ? 'Meta' : 'Control';

export interface Chord {
  /** The keys that are held, each the left or the right one. */
  modifiers: Key[];
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
for (const name of ['CapsLock', 'NumLock', 'ScrollLock', 'Pause', 'PrintScreen'] as const)
  add(name, { CapsLock: 20, NumLock: 144, ScrollLock: 145, Pause: 19, PrintScreen: 44 }[name]);
for (let i = 1; i <= 24; i++) add(`F${i}`, 111 + i);
NAMED['space'] = { key: ' ', code: 'Space', number: 32, text: ' ' };
for (const modifier of Object.keys(MODIFIERS) as Modifier[]) {
  const number = MODIFIER_NUMBERS[modifier];
  const left: Key = { key: modifier, code: `${modifier}Left`, number, location: 1 };
  NAMED[modifier.toLowerCase()] = left;
  NAMED[left.code.toLowerCase()] = left;
  // The right Meta key has a number of its own.
  const right = modifier === 'Meta' ? 92 : number;
  NAMED[`${modifier}Right`.toLowerCase()] = { ...left, code: `${modifier}Right`, number: right, location: 2 };
}
NAMED['controlormeta'] = NAMED[CONTROL_OR_META.toLowerCase()] as Key;
for (let i = 0; i <= 9; i++) addPad(String(i), `Numpad${i}`, 96 + i);
addPad('*', 'NumpadMultiply', 106);
addPad('+', 'NumpadAdd', 107);
addPad('-', 'NumpadSubtract', 109);
addPad('.', 'NumpadDecimal', 110);
addPad('/', 'NumpadDivide', 111);
NAMED['numpadenter'] = { key: 'Enter', code: 'NumpadEnter', number: 13, text: '\r', location: 3 };

function addPad(text: string, code: string, number: number): void {
  NAMED[code.toLowerCase()] = { key: text, code, number, text, location: 3 };
}

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

/** The character that the key at this place types, for the standard's names: "KeyA", "Digit1", "Minus". */
function characterAt(code: string): string | undefined {
  const letterOrDigit = /^(?:Key([A-Z])|Digit([0-9]))$/i.exec(code);
  if (letterOrDigit) return (letterOrDigit[1] ?? letterOrDigit[2])?.toLowerCase();
  return SYMBOLS.find(([, , place]) => place.toLowerCase() === code.toLowerCase())?.[0];
}

/** @example parseChord('Control+Shift+a') // { modifiers: [{ key: 'Control', … }, { key: 'Shift', … }], key: { key: 'A', … } } */
export function parseChord(chord: string): Chord {
  // The last plus of "Control++" is the key itself.
  const parts =
    chord === '+' ? ['+'] : chord.endsWith('++') ? [...chord.slice(0, -2).split('+'), '+'] : chord.split('+');
  const last = parts.pop() ?? '';
  const modifiers = parts.map((part): Key => {
    const key = NAMED[alias(part)];
    if (key && Object.hasOwn(MODIFIERS, key.key)) return key;
    throw badKey(chord, `"${part}" is not a modifier`);
  });
  const named = NAMED[alias(last)];
  if (named) return { modifiers, key: named };
  const character = [...last].length === 1 ? last : characterAt(last.trim());
  const isShifted = modifiers.some(({ key }) => key === 'Shift');
  const key = character === undefined ? undefined : keyOf(isShifted ? shifted(character) : character);
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
  const hint = 'Write keys like "Enter", "ArrowDown", "a", "KeyA", "NumpadEnter" or "Control+Shift+A".';
  return new ToolFailure('bad_argument', `"${chord}" is not a valid key chord: ${why}.`, hint);
}
