/** Types where the focus is, in whatever frame or shadow root, and also where it is no field: terminals and canvas editors listen to keys. */
import type { ActionEffects } from './action-effects.ts';
import { barrier } from './barrier.ts';
import type { Call } from './call.ts';
import { type FillOptions, fillElement } from './fill.ts';
import { pressChord, typeKeys } from './input.ts';
import { parseChord } from './keys.ts';
import type { Place } from './place.ts';
import type { Tab } from './tab.ts';

/** Resolves with where the text went. */
export async function typeIntoFocus(
  call: Call,
  tab: Tab,
  after: ActionEffects,
  options: FillOptions & { value: string },
): Promise<string> {
  const focus = await focusOf(call, tab);
  if (focus?.isField) return fillElement(call, tab, after, { ref: focus.place.ref(focus.number) }, options);
  const { session } = tab.page;
  const type = async (): Promise<void> => {
    await typeKeys(session, options.value, call.signal);
    if (options.submit) await pressChord(session, parseChord('Enter'), call.signal);
    await barrier(call, tab);
  };
  after.sent = true;
  await Promise.race([type(), after.began]);
  return focus ? `${focus.line}, key by key, because it is not a field` : 'the page, key by key: nothing has the focus';
}

interface Focus {
  isField: boolean;
  place: Place;
  number: number;
  line: string;
}

/** Through open shadow roots and all frames; undefined where nothing has the focus. */
async function focusOf(call: Call, tab: Tab): Promise<Focus | undefined> {
  let place = await tab.main(call.signal);
  for (;;) {
    const focus = await place.ask('focused', {}, call.signal);
    if (focus.kind === 'nothing') return undefined;
    const { number } = focus;
    if (focus.kind !== 'frame') return { isField: focus.kind === 'field', place, number, line: focus.line };
    const inner = await tab.foreign(place, number, call.signal);
    // A frame that does not answer still gets the keys.
    if (!inner) return { isField: false, place, number, line: 'a frame' };
    place = inner;
  }
}
