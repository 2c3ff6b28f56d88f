/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The tree as a user sees it: shadow roots in place of their hosts' children, frames of the same origin in place of their elements. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installTree(actions: InputActions): void {
  const {
    assignedSlot,
    checkVisibility,
    clientLeft,
    clientTop,
    firstChild,
    getBoundingClientRect,
    getClientRects,
    getRootNode,
    localName,
    nextSibling,
    nodeType,
    offsetHeight,
    offsetWidth,
    ownerDocument,
    parentElement,
    parentNode,
    shadowRoot,
  } = actions.dom;
  actions.isFrame = (element) => localName(element) === 'iframe' || localName(element) === 'frame';

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
    let first: Node | null = firstChild(node);
    if (nodeType(node) === 1) {
      const element = node as Element;
      const tag = localName(element);
      const shadow = shadowRoot(element);
      if (shadow) first = shadow.firstChild;
      else if (tag === 'slot') {
        const assigned = (element as HTMLSlotElement).assignedNodes();
        if (assigned.length > 0) {
          for (const child of assigned) visit(child);
          return;
        }
      } else if (tag === 'iframe' || tag === 'frame') first = actions.frameDocument(element)?.documentElement ?? null;
    }
    for (let child = first; child; child = nextSibling(child)) visit(child);
  };

  actions.parent = (node) => {
    const slot = assignedSlot(node);
    if (slot) return slot;
    const parent = parentElement(node);
    if (parent) return parent;
    const root = parentNode(node);
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
    if (!checkVisibility(element, { visibilityProperty: true })) return false;
    const box = getBoundingClientRect(element);
    if (box.width > 0 && box.height > 0) return true;
    // An inline element around a floating one has no box of its own, but is visible.
    return [...getClientRects(element)].some((rect) => rect.width > 0 && rect.height > 0);
  };

  actions.scopes = () => {
    const roots: (Document | ShadowRoot)[] = [document];
    const foreign: Element[] = [];
    for (let i = 0; i < roots.length; i++) {
      for (const element of (roots[i] as Document).querySelectorAll('*')) {
        const shadow = shadowRoot(element);
        if (shadow) roots.push(shadow);
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
    const box = getBoundingClientRect(frame);
    const style = getComputedStyle(frame);
    const [width, height] = [offsetWidth(frame), offsetHeight(frame)];
    const scaleX = width > 0 ? box.width / width : 1;
    const scaleY = height > 0 ? box.height / height : 1;
    return {
      left: box.left + (clientLeft(frame) + Number.parseFloat(style.paddingLeft)) * scaleX,
      top: box.top + (clientTop(frame) + Number.parseFloat(style.paddingTop)) * scaleY,
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
      owner = ownerOf(ownerDocument(owner));
    }
    return [x, y];
  };

  actions.hit = (startX, startY) => {
    let [x, y] = [startX, startY];
    let found: Element | null = document.elementFromPoint(x, y);
    while (found) {
      const shadow: ShadowRoot | null = shadowRoot(found);
      const inShadow = shadow?.elementFromPoint(x, y);
      if (shadow && inShadow && inShadow !== found && getRootNode(inShadow) === shadow) {
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
      if (
        nodeType(node) === 1 &&
        localName(node as Element) === 'label' &&
        (node as HTMLLabelElement).control === target
      )
        return true;
    }
    return localName(target) === 'label' && hit !== null && (target as HTMLLabelElement).control === hit;
  };
}
