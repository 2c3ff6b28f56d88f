/** Finding the page's parts by the pack's selectors. Our own panel is never among them: its inside is closed, its host is left out. */
import type { Role, Selectors } from '../../src/capture/formats.ts';

export const HOST_TAG = 'eval752-panel';

export interface Turn {
  readonly element: HTMLElement;
  /** Where its text is. */
  readonly bodies: () => HTMLElement[];
}

export class Finder {
  readonly selectors: Selectors;

  constructor(selectors: Selectors) {
    this.selectors = selectors;
  }

  has(role: Role): boolean {
    return this.selectors[role].length > 0;
  }

  /** The first visible element of the first selector that has one. */
  first(role: Role): HTMLElement | undefined {
    for (const selector of this.selectors[role]) {
      const found = matches(selector, document).find(isVisible);
      if (found) return found;
    }
    return undefined;
  }

  /** What can be clicked now. */
  enabled(role: Role): HTMLElement | undefined {
    for (const selector of this.selectors[role]) {
      const found = matches(selector, document).find((element) => isVisible(element) && !isDisabled(element));
      if (found) return found;
    }
    return undefined;
  }

  /** All turns in the order of the document, of the first generation of markup that is there. Text may be hidden while it is pending. */
  turns(): Turn[] {
    for (const [generation, selector] of this.selectors.assistant_turn.entries()) {
      const body = this.selectors.assistant_body[generation];
      const found = outermost(matches(selector, document).filter((element) => element.checkVisibility()));
      if (found.length === 0) continue;
      return found.map((element) => ({
        element,
        // Where a body is known and not there yet, its frame ("Thinking…") is not the answer.
        bodies: () => (body ? outermost(matches(body, element)) : [element]),
      }));
    }
    return [];
  }

  /** Whether the page says that this turn is finished: marks of earlier turns stand before it. */
  isDone(turn: HTMLElement): boolean {
    const after = Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_CONTAINED_BY;
    return this.selectors.done.some((selector) =>
      matches(selector, document).some((mark) => isVisible(mark) && (turn.compareDocumentPosition(mark) & after) !== 0),
    );
  }
}

export function matches(selector: string, under: ParentNode): HTMLElement[] {
  return [...under.querySelectorAll<HTMLElement>(selector)].filter(({ localName }) => localName !== HOST_TAG);
}

export function outermost(elements: HTMLElement[]): HTMLElement[] {
  return elements.filter((element) => !elements.some((other) => other !== element && other.contains(element)));
}

export function isVisible(element: Element): boolean {
  if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0;
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled') || element.getAttribute('aria-disabled') === 'true';
}
