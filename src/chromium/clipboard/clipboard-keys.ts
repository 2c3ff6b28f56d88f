/** Which key events copy, cut or paste. */

interface KeyEvent {
  type?: unknown;
  key?: unknown;
  code?: unknown;
  modifiers?: unknown;
  commands?: unknown;
}

/** The bits of `modifiers` in CDP. */
const CONTROL = 2;
const META = 4;
const SHIFT = 8;

/** Of an `Input.dispatchKeyEvent`: whether the browser, or a page that listens, may use the clipboard for it. */
export function usesClipboard({ type, key, code, modifiers, commands }: KeyEvent): boolean {
  if (type !== 'keyDown' && type !== 'rawKeyDown') return false;
  if (Array.isArray(commands) && commands.some((command) => /^(copy|cut|paste)/i.test(String(command)))) return true;
  const held = Number(modifiers ?? 0);
  const name = String(key ?? '').toLowerCase();
  const isLetter = ['c', 'x', 'v'].includes(name) || ['KeyC', 'KeyX', 'KeyV'].includes(String(code));
  if ((held & (CONTROL | META)) !== 0 && (isLetter || name === 'insert')) return true;
  return (held & SHIFT) !== 0 && (name === 'insert' || name === 'delete');
}
