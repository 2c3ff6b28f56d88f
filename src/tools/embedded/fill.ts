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
import { PlaceGone } from './place.ts';
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
  const { found, next, text } = await withElement(call, tab, locator, async (found) => {
    const { value, append } = options;
    const entry = await found.place.ask(
      'enter',
      { number: found.number, purpose: 'put', value, append, waitMs: call.waitMs },
      call.signal,
    );
    if (entry.ok) return { found, next: entry.next, text: entry.next === 'insert' ? entry.text : '' };
    if (entry.kind === 'stale_ref') return new Stale(entry.message);
    throw new ToolFailure(entry.kind, entry.message);
  });
  if (next === 'click') await clickElement(call, tab, after, { ref: found.place.ref(found.number) }, PLAIN_CLICK);
  if (next === 'files') await giveFiles(call, found, options.value);
  if (next === 'insert') {
    after.sent = true;
    // Inserting an empty text changes nothing, so the selection is deleted with the Delete key.
    if (text === '') {
      if (!options.append) await pressChord(session, parseChord('Delete'), call.signal);
    } else if (options.slowly) await typeKeys(session, text, call.signal);
    else await insertText(session, text, call.signal);
  }
  after.sent = true;
  if (options.submit) await pressChord(session, parseChord('Enter'), call.signal);
  return describeAfter(call, after, found);
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
