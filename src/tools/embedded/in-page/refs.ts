/// <reference lib="dom" />
/** Numbers elements. An element keeps its number while it exists, and no other element ever gets it. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installRefs(actions: InputActions): void {
  const { isConnected, ownerDocument } = actions.dom;
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
    // After a frame is navigated, its old elements are still connected, to a document that is not shown any more.
    return element && isConnected(element) && ownerDocument(element).defaultView ? element : undefined;
  };

  actions.stale = (number) => ({
    ok: false,
    kind: 'stale_ref',
    message: `The element [${actions.letters}${number}] is not on the page any more.`,
  });

  /** Removes the entries of deleted elements, so that a page that re-renders for ever does not fill the memory. */
  function prune(): void {
    for (const [number, ref] of elements) if (!ref.deref()) elements.delete(number);
    pruneAt = Math.max(PRUNE_AT, elements.size * 2);
  }
}
