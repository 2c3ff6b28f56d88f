/** What a role's selectors match on this page now. It only observes: nothing is written, clicked or sent. */
import type { Role, Selectors } from '../../src/capture/formats.ts';
import { isEditable } from './composer.ts';
import { isVisible, matches, outermost } from './finder.ts';

export interface Finding {
  readonly role: Role;
  readonly isFound: boolean;
  /** In words, for the person who entered the selectors. */
  readonly says: string;
  /** Of the selector that counts. */
  readonly elements: readonly HTMLElement[];
}

const NEEDED: readonly Role[] = ['composer', 'send', 'assistant_turn'];
const LATER: Partial<Record<Role, string>> = {
  send: 'Some pages show it only when something is written: write a word and look.',
  busy: 'It shows while an answer is being written: send a message by hand and watch.',
  assistant_turn: 'It shows with the first answer: send a message by hand and look.',
  assistant_body: 'It shows with the first answer: send a message by hand and look.',
  done: 'It shows when an answer is finished: send a message by hand and look.',
};

export function lookFor(role: Role, selectors: Selectors): Finding {
  const list = selectors[role];
  const nothing = (says: string): Finding => ({ role, isFound: false, says, elements: [] });
  if (list.length === 0) return nothing(NEEDED.includes(role) ? 'No selector, and one is needed.' : 'No selector.');
  const invalid = list.find((selector) => !isSelector(selector));
  if (invalid !== undefined) return nothing(`“${invalid}” is not a valid CSS selector.`);
  const found = list.map((selector, index) => elementsOf(role, selector, index, selectors));
  // As the runtime chooses: the first that shows something; of hidden ones there is only the first to tell about.
  const seen = found.findIndex((elements) => elements.some(isVisible));
  const index = seen >= 0 ? seen : found.findIndex((elements) => elements.length > 0);
  const elements = found[index];
  if (!elements) return nothing(['Nothing matches.', LATER[role] ?? ''].join(' ').trim());
  const visible = elements.filter(isVisible);
  const which = `Selector ${index + 1} of ${list.length} matches ${count(elements.length)}, ${visible.length === elements.length ? 'visible' : `${visible.length} visible`}: ${list[index]}`;
  if (role === 'composer' && visible.length > 0 && !visible.some(isEditable)) {
    return { role, isFound: false, says: `${which}. It can’t be written to.`, elements };
  }
  return { role, isFound: visible.length > 0, says: which, elements };
}

function elementsOf(role: Role, selector: string, index: number, { assistant_turn }: Selectors): HTMLElement[] {
  if (role !== 'assistant_body') return matches(selector, document);
  const turn = assistant_turn[index];
  if (turn === undefined || !isSelector(turn)) return [];
  return outermost(matches(turn, document)).flatMap((element) => matches(selector, element));
}

function isSelector(text: string): boolean {
  try {
    document.createDocumentFragment().querySelector(text);
    return true;
  } catch {
    // The browser throws for an invalid selector.
    return false;
  }
}

function count(number: number): string {
  return number === 1 ? '1 element' : `${number} elements`;
}
