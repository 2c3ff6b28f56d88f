/** The script that finds which of the given elements a selector selects. It is exact, because it compares the elements themselves. */
import { z } from 'zod';

export const Picked = z.union([
  z.object({ problem: z.string() }),
  z.object({
    /** -1: the element is on the page, but not among the given ones. */
    index: z.number().int(),
    /** The rest of the selector, to be used inside the frame that was found. */
    rest: z.string().nullable(),
    /** The names that it may have in a snapshot. */
    words: z.array(z.string()),
    /** On which side of the first given element it is, in page order; an element is before what is inside it. */
    side: z.enum(['before', 'after']),
  }),
]);

/** The source of a function that takes any number of elements of one document. */
export function pickBySelector(selector: string, nth: number): string {
  return `(...elements) => {
    const hops = ${JSON.stringify(selector)}.split('>>>').map((hop) => hop.trim());
    const clean = (text) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, 200);
    const named = (element) => [
      element.getAttribute('aria-label'), element.title, element.placeholder, element.alt, element.value, element.innerText,
      ...[...(element.labels ?? [])].map((label) => label.innerText),
    ].filter((text) => typeof text === 'string').map(clean).filter((text) => text !== '');
    const path = (node) => {
      const list = [];
      for (let at = node; at; at = at.parentNode ?? at.host) list.unshift(at);
      return list;
    };
    const sideOf = (found, other) => {
      const [mine, its] = [path(found), path(other)];
      const fork = mine.findIndex((node, i) => node !== its[i]);
      const [a, b] = [mine[fork], its[fork]];
      if (!a || !b) return a ? 'after' : 'before';
      return a instanceof ShadowRoot || a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? 'before' : 'after';
    };
    let scope = document;
    for (const [i, hop] of hops.entries()) {
      const isLast = i === hops.length - 1;
      let list;
      try { list = scope.querySelectorAll(hop); } catch { return { problem: '"' + hop + '" is not a valid CSS selector.' }; }
      const found = list[isLast ? ${nth} - 1 : 0];
      if (!found) return { problem: 'There is no element "' + hop + '" on the page.' };
      const isFrame = found.localName === 'iframe' || found.localName === 'frame';
      if (isLast || isFrame) {
        return { index: elements.indexOf(found), rest: isLast ? null : hops.slice(i + 1).join(' >>> '), words: named(found), side: sideOf(found, elements[0]) };
      }
      if (!found.shadowRoot) return { problem: '"' + hop + '" has no open shadow root and is no frame.' };
      scope = found.shadowRoot;
    }
  }`;
}
