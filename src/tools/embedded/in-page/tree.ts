/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The tree as a user sees it: shadow roots in place of their hosts' children, frames of the same origin in place of their elements. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installTree(actions: InputActions): void {
  actions.isFrame = (element) => element.localName === 'iframe' || element.localName === 'frame';

  actions.frameDocument = (element) => {
    if (!actions.isFrame(element)) return null;
    try {
      return (element as HTMLIFrameElement).contentDocument;
    } catch {
      // The document of a frame of another origin is not accessible.
      return null;
    }
  };

  // Siblings are followed one by one, because iterating over a live list costs three times as much.
  actions.eachChild = (node, visit) => {
    let first: Node | null = node.firstChild;
    if (node.nodeType === 1) {
      const element = node as Element;
      const tag = element.localName;
      if (element.shadowRoot) first = element.shadowRoot.firstChild;
      else if (tag === 'slot') {
        const assigned = (element as HTMLSlotElement).assignedNodes();
        if (assigned.length > 0) {
          for (const child of assigned) visit(child);
          return;
        }
      } else if (tag === 'iframe' || tag === 'frame') first = actions.frameDocument(element)?.documentElement ?? null;
    }
    for (let child = first; child; child = child.nextSibling) visit(child);
  };

  actions.parent = (node) => {
    const slot = (node as Element).assignedSlot;
    if (slot) return slot;
    if (node.parentElement) return node.parentElement;
    const root = node.parentNode;
    if (root && 'host' in root) return (root as ShadowRoot).host;
    const document = root?.nodeType === 9 ? (root as Document) : null;
    return ownerOf(document);
  };

  /** The frame element that shows a document of this world; null for the topmost document. */
  function ownerOf(inner: Document | null): Element | null {
    if (!inner || inner === document) return null;
    return inner.defaultView?.frameElement ?? null;
  }

  actions.isShown = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return true;
    // An inline element around a floating one has no box of its own, but is visible.
    return [...element.getClientRects()].some((rect) => rect.width > 0 && rect.height > 0);
  };

  actions.scopes = () => {
    const roots: (Document | ShadowRoot)[] = [document];
    const foreign: Element[] = [];
    for (let i = 0; i < roots.length; i++) {
      for (const element of (roots[i] as Document).querySelectorAll('*')) {
        if (element.shadowRoot) roots.push(element.shadowRoot);
        if (!actions.isFrame(element)) continue;
        const inner = actions.frameDocument(element);
        if (inner) roots.push(inner);
        else foreign.push(element);
      }
    }
    return { roots, foreign };
  };

  /** Where the content of a frame starts, and how much it is scaled. */
  function contentOf(frame: Element): { left: number; top: number; scaleX: number; scaleY: number } {
    const box = frame.getBoundingClientRect();
    const style = getComputedStyle(frame);
    const { offsetWidth, offsetHeight } = frame as HTMLElement;
    const scaleX = offsetWidth > 0 ? box.width / offsetWidth : 1;
    const scaleY = offsetHeight > 0 ? box.height / offsetHeight : 1;
    return {
      left: box.left + (frame.clientLeft + Number.parseFloat(style.paddingLeft)) * scaleX,
      top: box.top + (frame.clientTop + Number.parseFloat(style.paddingTop)) * scaleY,
      scaleX,
      scaleY,
    };
  }

  actions.outward = (inner, startX, startY) => {
    let [x, y] = [startX, startY];
    let owner = ownerOf(inner);
    while (owner) {
      const { left, top, scaleX, scaleY } = contentOf(owner);
      x = left + x * scaleX;
      y = top + y * scaleY;
      owner = ownerOf(owner.ownerDocument);
    }
    return [x, y];
  };

  actions.hit = (startX, startY) => {
    let [x, y] = [startX, startY];
    let found: Element | null = document.elementFromPoint(x, y);
    while (found) {
      const shadow: ShadowRoot | null = found.shadowRoot;
      const inShadow = shadow?.elementFromPoint(x, y);
      if (shadow && inShadow && inShadow !== found && inShadow.getRootNode() === shadow) {
        found = inShadow;
        continue;
      }
      const inner = actions.frameDocument(found);
      if (!inner) return found;
      const { left, top, scaleX, scaleY } = contentOf(found);
      x = (x - left) / scaleX;
      y = (y - top) / scaleY;
      const inFrame = inner.elementFromPoint(x, y);
      if (!inFrame) return found;
      found = inFrame;
    }
    return null;
  };

  actions.reaches = (target, hit) => {
    for (let node: Node | null = hit; node; node = actions.parent(node)) {
      if (node === target) return true;
      // A label forwards the click to its control, and represents it where the control itself is hidden.
      if ((node as Element).localName === 'label' && (node as HTMLLabelElement).control === target) return true;
    }
    return target.localName === 'label' && hit !== null && (target as HTMLLabelElement).control === hit;
  };
}
