/// <reference lib="dom" />
/** Numbers for elements: an element keeps its number while it lives, and no other ever gets it. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page; it may use nothing from outside itself. */
export function installRefs(actions: InputActions): void {
  const PRUNE_AT = 20_000;
  const numbers = new WeakMap<Element, number>();
  const elements = new Map<number, WeakRef<Element>>();
  let last = 0;
  let pruneAt = PRUNE_AT;

  actions.numberOf = (element) => {
    let number = numbers.get(element);
    if (number === undefined) {
      number = ++last;
      numbers.set(element, number);
      elements.set(number, new WeakRef(element));
      if (elements.size > pruneAt) prune();
    }
    return number;
  };

  actions.element = (number) => {
    const element = elements.get(number)?.deref();
    // A frame that went elsewhere keeps its old elements connected, to a document that nobody shows.
    return element?.isConnected && element.ownerDocument.defaultView ? element : undefined;
  };

  actions.stale = (number) => ({
    ok: false,
    kind: 'stale_ref',
    message: `The element [${actions.letters}${number}] is not on the page any more.`,
  });

  /** A page that renders its list for ever must not fill the memory with names of what is gone. */
  function prune(): void {
    for (const [number, ref] of elements) if (!ref.deref()) elements.delete(number);
    pruneAt = Math.max(PRUNE_AT, elements.size * 2);
  }
}
