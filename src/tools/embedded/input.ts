/** Real input events. Related events are sent at once: the browser keeps their order, and they cost one round trip. */
import { type Protocol, type Session, usesClipboard } from '../../chromium/index.ts';
import { type Chord, type Key, keyOf, MODIFIERS, type Modifier } from './keys.ts';

export type Button = 'left' | 'middle' | 'right';
const HELD = { left: 1, right: 2, middle: 4 } as const;

export interface ClickOptions {
  button: Button;
  count: number;
  modifiers: readonly Modifier[];
}

export const PLAIN_CLICK: ClickOptions = { button: 'left', count: 1, modifiers: [] };

type Mouse = Protocol.Input.DispatchMouseEventRequest;

function maskOf(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((mask, modifier) => mask | MODIFIERS[modifier], 0);
}

function mouse(session: Session, event: Mouse, signal: AbortSignal): Promise<unknown> {
  return session.send('Input.dispatchMouseEvent', event, { signal });
}

export async function moveMouse(
  session: Session,
  x: number,
  y: number,
  signal: AbortSignal,
  held?: Button,
): Promise<void> {
  const pressed = held ? { button: held, buttons: HELD[held] } : {};
  await mouse(session, { type: 'mouseMoved', x, y, ...pressed }, signal);
}

/** A move alone would be answered at the next frame; the press that follows at once flushes it. */
export async function click(
  session: Session,
  x: number,
  y: number,
  options: ClickOptions,
  signal: AbortSignal,
): Promise<void> {
  const { button, count } = options;
  const modifiers = maskOf(options.modifiers);
  const events: Mouse[] = [{ type: 'mouseMoved', x, y, modifiers }];
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    events.push({ type: 'mousePressed', x, y, button, buttons: HELD[button], clickCount, modifiers });
    events.push({ type: 'mouseReleased', x, y, button, buttons: 0, clickCount, modifiers });
  }
  await Promise.all(events.map((event) => mouse(session, event, signal)));
}

export async function pressMouse(session: Session, x: number, y: number, signal: AbortSignal): Promise<void> {
  await Promise.all([
    mouse(session, { type: 'mouseMoved', x, y }, signal),
    mouse(session, { type: 'mousePressed', x, y, button: 'left', buttons: 1, clickCount: 1 }, signal),
  ]);
}

export async function releaseMouse(session: Session, x: number, y: number, signal: AbortSignal): Promise<void> {
  await mouse(session, { type: 'mouseReleased', x, y, button: 'left', buttons: 0, clickCount: 1 }, signal);
}

export async function wheel(
  session: Session,
  x: number,
  y: number,
  by: readonly [number, number],
  signal: AbortSignal,
): Promise<void> {
  await mouse(session, { type: 'mouseWheel', x, y, deltaX: by[0], deltaY: by[1] }, signal);
}

export async function insertText(session: Session, text: string, signal: AbortSignal): Promise<void> {
  await session.send('Input.insertText', { text }, { signal });
}

/** Whether the chord copies, cuts or pastes. */
export function chordUsesClipboard({ modifiers, key: { key, code } }: Chord): boolean {
  return usesClipboard({ type: 'rawKeyDown', key, code, modifiers: maskOf(modifiers) });
}

export async function pressChord(session: Session, { modifiers, key }: Chord, signal: AbortSignal): Promise<void> {
  const sent: Promise<unknown>[] = [];
  let held = 0;
  for (const modifier of modifiers) {
    held |= MODIFIERS[modifier];
    sent.push(keyEvent(session, 'rawKeyDown', modifierKey(modifier), held, signal));
  }
  const types = key.text !== undefined && (held & ~MODIFIERS.Shift) === 0;
  sent.push(keyEvent(session, types ? 'keyDown' : 'rawKeyDown', key, held, signal));
  sent.push(keyEvent(session, 'keyUp', key, held, signal));
  for (const modifier of [...modifiers].reverse()) {
    held &= ~MODIFIERS[modifier];
    sent.push(keyEvent(session, 'keyUp', modifierKey(modifier), held, signal));
  }
  await Promise.all(sent);
}

/** Types every character by its key, as a person does. Characters without a key are inserted. */
export async function typeKeys(session: Session, text: string, signal: AbortSignal): Promise<void> {
  for (const character of text.replaceAll('\r\n', '\n')) {
    const key = keyOf(character);
    if (key) await pressChord(session, { modifiers: [], key }, signal);
    else await insertText(session, character, signal);
  }
}

function modifierKey(modifier: Modifier): Key {
  return { key: modifier, code: `${modifier}Left`, number: { Alt: 18, Control: 17, Meta: 91, Shift: 16 }[modifier] };
}

function keyEvent(
  session: Session,
  type: 'keyDown' | 'rawKeyDown' | 'keyUp',
  key: Key,
  modifiers: number,
  signal: AbortSignal,
): Promise<unknown> {
  const event: Protocol.Input.DispatchKeyEventRequest = {
    type,
    key: key.key,
    code: key.code,
    windowsVirtualKeyCode: key.number,
    modifiers,
    ...(type === 'keyDown' && key.text !== undefined ? { text: key.text } : {}),
  };
  return session.send('Input.dispatchKeyEvent', event, { signal });
}
