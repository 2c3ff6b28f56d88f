/**
 * Which turn is the new one. Turns are never counted: pages take old ones out of the document and draw the rest anew.
 * After a new chat there is none, and any turn is new; in one long conversation the last one must differ from the last one before.
 */

import type { Turn } from './finder.ts';
import type { PageContext } from './page-context.ts';
import { textOf } from './text-of.ts';

/** Ask before sending. The function it returns gives the new turn as soon as there is one. */
export function watchForTurn(page: PageContext): (isBusy: boolean) => Turn | undefined {
  const last = (): Turn | undefined => page.finder.turns().at(-1);
  const before = last();
  if (!before) return last;
  const keyBefore = keyOf(before.element);
  const textBefore = textOf(before.bodies());
  let wasBusy = false;
  let found = false;

  const isNew = ({ element, bodies }: Turn): boolean => {
    const key = keyOf(element);
    if (key !== '' && keyBefore !== '') return key !== keyBefore;
    if (textOf(bodies()) !== textBefore) return true;
    // The same words again, as in two answers of “4”: another element beside the old one, or drawn after work was seen.
    return element !== before.element && (before.element.isConnected || wasBusy);
  };

  return (isBusy) => {
    wasBusy ||= isBusy;
    const turn = last();
    found ||= turn !== undefined && isNew(turn);
    return found ? turn : undefined;
  };
}

/** A name that a turn keeps when it is drawn anew. Only its own, or that of the message it is in: others (test ids) are shared. */
function keyOf(element: HTMLElement): string {
  const own = [...element.attributes].find(({ name }) => /^(id|data-.*(message|turn|unit)-(id|key))$/.test(name));
  return own?.value || element.closest('[data-message-id]')?.getAttribute('data-message-id') || '';
}
