/** Sets the values of controls, and types text. */
import { access, constants } from 'node:fs/promises';
import { resolve as resolvePath, sep } from 'node:path';
import { clickElement, Stale, withElement } from './act.ts';
import type { ActionEffects } from './action-effects.ts';
import type { Call } from './call.ts';
import { ToolFailure } from './failure.ts';
import type { EntryRequest } from './in-page/input-actions.ts';
import { insertText, PLAIN_CLICK, pressChord, typeKeys } from './input.ts';
import { parseChord } from './keys.ts';
import type { Locator } from './locator.ts';
import { type Answer, PlaceGone } from './place.ts';
import type { Found } from './resolve.ts';
import type { Tab } from './tab.ts';

export interface FillOptions {
  value: EntryRequest['value'];
  /** Append to the existing value. */
  append?: boolean | undefined;
  /** Key by key, for pages that listen to keys. */
  slowly?: boolean | undefined;
  /** Press Enter at the end. */
  submit?: boolean | undefined;
}

/** Resolves with the control's line afterwards. */
export async function fillElement(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  locator: Locator,
  options: FillOptions,
): Promise<string> {
  const { session } = tab.page;
  const { found, entry } = await withElement(call, tab, locator, async (found) => {
    const { value, append } = options;
    const entry = await found.place.ask(
      'enter',
      { number: found.number, purpose: 'put', value, append, waitMs: call.waitMs },
      call.signal,
    );
    if (entry.ok) return { found, entry };
    if (entry.kind === 'stale_ref') return new Stale(entry.message);
    throw new ToolFailure(entry.kind, entry.message);
  });
  let line: string | undefined;
  if (entry.next === 'click') {
    await clickElement(call, tab, after, { ref: found.place.ref(found.number) }, PLAIN_CLICK);
    line = await lineOfTaken(call, after, found, entry.checked, `become ${entry.checked ? '' : 'un'}checked`);
  }
  if (entry.next === 'files') await giveFiles(call, found, options.value);
  if (entry.next === 'insert') {
    const { text } = entry;
    after.sent = true;
    // Inserting an empty text changes nothing, so the selection is deleted with the Delete key.
    if (text === '') {
      if (!options.append) await pressChord(session, parseChord('Delete'), call.signal);
    } else if (options.slowly) await typeKeys(session, text, call.signal);
    else await insertText(session, text, call.signal);
    // Nothing is appended to a field by no text, and whatever it holds is right.
    if (text !== '' || !options.append) line = await lineOfTaken(call, after, found, text, `take "${text}"`);
  }
  after.sent = true;
  if (options.submit) await pressChord(session, parseChord('Enter'), call.signal);
  return line !== undefined && !options.submit ? line : describeAfter(call, after, found);
}

/** The control's line. Throws when it did not take the value. A page that navigates, opens a dialog or closes has taken it. */
async function lineOfTaken(
  call: Call,
  after: ActionEffects,
  { place, number }: Found,
  value: string | boolean,
  said: string,
): Promise<string> {
  const asked = place.ask('taken', { number, value }, call.signal);
  // The page may navigate first. Then neither its answer nor its error is awaited.
  asked.catch(() => {});
  let taken: Answer<'taken'> | 'began';
  try {
    taken = await Promise.race([asked, after.began]);
  } catch (error) {
    if (error instanceof PlaceGone) return place.ref(number);
    throw error;
  }
  if (taken === 'began') return place.ref(number);
  const { state, line } = taken;
  if (state === 'refused') {
    const hint = 'It may allow other values only, or need a click or a key first.';
    throw new ToolFailure('refused', `${line} did not ${said}.`, hint);
  }
  if (state === 'handled') return `${line}. The page itself acted on the keys, and the field did not change`;
  if (state === 'emptied') return `${line}. The page emptied the field again`;
  return line || place.ref(number);
}

/** The element's line, or a fallback when the page has navigated. */
export async function describeAfter(call: Call, after: ActionEffects, { place, number }: Found): Promise<string> {
  const asked = place.ask('tell', { number }, call.signal);
  // The page may navigate first. Then neither its answer nor its error is awaited.
  asked.catch(() => {});
  try {
    const first = await Promise.race([asked, after.began]);
    return first === 'began' || !('line' in first) ? place.ref(number) : first.line;
  } catch (error) {
    if (error instanceof PlaceGone) return place.ref(number);
    throw error;
  }
}

async function giveFiles(call: Call, { place, number }: Found, value: FillOptions['value']): Promise<void> {
  const given = (Array.isArray(value) ? value : [value]).map(String);
  const files = await Promise.all(
    given.filter((path) => path !== '').map((path) => readable(path, call.context.filesFolder)),
  );
  const objectId = await place.handle(number, call.signal);
  if (objectId === undefined)
    throw new ToolFailure('stale_ref', `The element [${place.ref(number)}] is not on the page any more.`);
  await place.session.send('DOM.setFileInputFiles', { files, objectId }, { signal: call.signal });
}

async function readable(path: string, folder: string | undefined): Promise<string> {
  const whole = folder === undefined ? resolvePath(path) : resolvePath(folder, path);
  if (folder !== undefined && !whole.startsWith(resolvePath(folder) + sep)) {
    throw new ToolFailure('bad_argument', `"${path}" is outside of the folder that files are given from.`);
  }
  try {
    await access(whole, constants.R_OK);
  } catch {
    // The message has everything that the caller can correct.
    throw new ToolFailure('bad_argument', `There is no readable file "${path}".`, 'Give the path of an existing file.');
  }
  return whole;
}
