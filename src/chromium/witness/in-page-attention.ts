/// <reference lib="dom" />
/**
 * Runs in the page. What an action may change without a change of the document: the focus of a field, the selection, the pointer, the scroll
 * position. All but the selection are counted by events, because reading positions would force a layout.
 */

export interface Attention {
  /** How often a field got the focus. Buttons and links are left out: a click on them gives them the focus, whatever else it does. */
  focus: number;
  /** The selected text, as a digest; empty without one. */
  selection: string;
  /** How often the pointer has moved over another element. */
  pointer: number;
  scrolls: number;
}

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function watchAttention(): () => Attention {
  const counts = { focus: 0, pointer: 0, scrolls: 0 };
  const isField = Function.prototype.call.bind(Element.prototype.matches) as (
    element: Element,
    list: string,
  ) => boolean;
  const FIELDS = 'input,textarea,select,[contenteditable]:not([contenteditable="false"])';
  const listen = (type: string, on: (target: EventTarget | undefined) => void): void =>
    addEventListener(type, (event) => on(event.composedPath()[0]), { capture: true, passive: true });
  listen('focusin', (target) => {
    if (target instanceof Element && isField(target, FIELDS)) counts.focus++;
  });
  // After a layout the browser sends the event for a pointer that has not moved, in a corner until something moves it.
  let pointerAt = '0 0';
  addEventListener(
    'mouseover',
    ({ clientX, clientY }) => {
      const at = `${clientX} ${clientY}`;
      if (at !== pointerAt) counts.pointer++;
      pointerAt = at;
    },
    { capture: true, passive: true },
  );
  listen('scroll', () => {
    counts.scrolls++;
  });
  return () => {
    // Its text needs a layout, so it is read only where there is one.
    const selection = getSelection();
    const text = selection?.type === 'Range' ? String(selection).slice(0, 10_000) : '';
    let hash = text.length;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return { ...counts, selection: text === '' ? '' : (hash >>> 0).toString(16) };
  };
}
