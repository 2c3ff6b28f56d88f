/** Small scripts for servers that can run one, as source text. They observe or wait; where one acts, its renderer says why. */

/** The box of an element in the viewport of the page, including frame offsets; null where a frame of another origin is in between. */
export const BOX_OF = `(element) => {
  const at = element.nodeType === 1 ? element : element.parentElement;
  at.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  let { x, y, width, height } = at.getBoundingClientRect();
  for (let view = at.ownerDocument.defaultView; view !== view.top; ) {
    let frame = null;
    try { frame = view.frameElement; } catch {}
    if (!frame) return null;
    const box = frame.getBoundingClientRect();
    x += box.x + frame.clientLeft;
    y += box.y + frame.clientTop;
    view = frame.ownerDocument.defaultView;
  }
  return [x, y, width, height];
}`;

/**
 * Whether the keys of this document go to a field: true, false, or null where they go to a frame of another origin. A frame of the same origin answers for
 * itself where each frame is asked, so it is looked into as well.
 */
export const IS_FIELD_FOCUSED = `() => {
  if (!document.hasFocus()) return false;
  let at = document.activeElement;
  for (;;) {
    const inner = at?.shadowRoot ?? at?.contentDocument;
    if (!inner?.activeElement) break;
    at = inner.activeElement;
  }
  if (!at) return false;
  if (at.localName === 'iframe' || at.localName === 'frame') return at.contentDocument ? false : null;
  const isText = at.localName === 'textarea' || (at.localName === 'input' && !/^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/.test(at.type));
  return (isText && !at.readOnly && !at.disabled) || at.isContentEditable === true;
}`;

/** The state of a check box, a radio button or a switch. */
export const IS_CHECKED = `(element) => {
  const at = element.nodeType === 1 ? element : element.parentElement;
  return at.type === 'checkbox' || at.type === 'radio' ? at.checked : at.getAttribute('aria-checked') === 'true';
}`;

export const FOCUS = `(element) => { element.focus(); }`;
export const INTO_VIEW = `(element) => { (element.nodeType === 1 ? element : element.parentElement).scrollIntoView({ block: 'center', behavior: 'instant' }); }`;

export function scrollBy(x: number, y: number, on: 'page' | 'element'): string {
  if (on === 'page') return `() => { window.scrollBy({ left: ${x}, top: ${y}, behavior: 'instant' }); }`;
  // Scrolls the element itself or its nearest scrollable ancestor.
  return `(element) => {
    let at = element.nodeType === 1 ? element : element.parentElement;
    while (at.parentElement && at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) at = at.parentElement;
    at.scrollBy({ left: ${x}, top: ${y}, behavior: 'instant' });
  }`;
}

export interface WaitFor {
  text?: string | undefined;
  selector?: string | undefined;
  url?: string | undefined;
  gone?: boolean | undefined;
}

/** True as soon as the condition holds, false after the time limit. Selectors pass through open shadow roots and frames of the same origin. */
export function waitFor({ text, selector, url, gone = false }: WaitFor, ms: number): string {
  return `() => new Promise((resolve) => {
    const text = ${JSON.stringify(text ?? null)}, selector = ${JSON.stringify(selector ?? null)}, url = ${JSON.stringify(url ?? null)};
    const shown = (element) => !!element && element.getClientRects().length > 0;
    const find = () => {
      let scope = document, found = null;
      for (const hop of selector.split('>>>')) {
        found = scope?.querySelector(hop.trim()) ?? null;
        scope = found?.shadowRoot ?? found?.contentDocument ?? null;
      }
      return found;
    };
    const holds = () => {
      if (url !== null) return location.href.includes(url);
      const there = selector !== null ? shown(find()) : (document.body?.innerText ?? '').includes(text);
      return there !== ${gone};
    };
    const end = Date.now() + ${ms};
    const look = () => (holds() ? resolve(true) : Date.now() >= end ? resolve(false) : setTimeout(look, 50));
    look();
  })`;
}

export function sleepFor(ms: number): string {
  return `() => new Promise((resolve) => setTimeout(resolve, ${ms}))`;
}

/** Wraps an expression in a function, as these servers require. */
export function functionOf(expression: string): string {
  return `async () => (${expression}\n)`;
}
