/// <reference lib="dom" />
/**
 * Runs in the page. Reads nodes through the accessors of their prototypes.
 *
 * The fields of a form are properties of the form, by their names, and hide the form's own properties: with `<input name="children">` inside,
 * `form.children` is that input, in isolated worlds too. Only forms do so there, but any element may be a form.
 */

export type Dom = ReturnType<typeof makeDom>;

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function makeDom() {
  const HTML = 'http://www.w3.org/1999/xhtml';

  const getter = <T extends object, K extends keyof T>(prototype: T, name: K): ((of: T) => T[K]) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: T) => T[K];
    return (of) => get.call(of);
  };

  const { getAttribute, hasAttribute, hasAttributes, getAttributeNames, matches, closest } = Element.prototype;
  const { querySelector, querySelectorAll, checkVisibility, getBoundingClientRect, getClientRects } = Element.prototype;
  const { getAnimations, scrollIntoView } = Element.prototype;
  const { scrollIntoViewIfNeeded } = Element.prototype as Element & { scrollIntoViewIfNeeded(): void };
  const { getRootNode } = Node.prototype;
  const { dispatchEvent } = EventTarget.prototype;
  const slotOfElement = getter(Element.prototype, 'assignedSlot');
  const slotOfText = getter(Text.prototype, 'assignedSlot');
  const localName = getter(Element.prototype, 'localName');
  const nodeType = getter(Node.prototype, 'nodeType');
  const namespace = getter(Element.prototype, 'namespaceURI');
  const isHtml = (element: Element): element is HTMLElement => namespace(element) === HTML;
  const innerText = getter(HTMLElement.prototype, 'innerText');
  const isContentEditable = getter(HTMLElement.prototype, 'isContentEditable');
  const offsetWidth = getter(HTMLElement.prototype, 'offsetWidth');
  const offsetHeight = getter(HTMLElement.prototype, 'offsetHeight');
  const { focus } = HTMLElement.prototype;

  return {
    nodeType,
    firstChild: getter(Node.prototype, 'firstChild'),
    nextSibling: getter(Node.prototype, 'nextSibling'),
    parentNode: getter(Node.prototype, 'parentNode'),
    parentElement: getter(Node.prototype, 'parentElement'),
    ownerDocument: getter(Node.prototype, 'ownerDocument') as (of: Node) => Document,
    isConnected: getter(Node.prototype, 'isConnected'),
    textContent: getter(Node.prototype, 'textContent'),
    getRootNode: (of: Node): Node => getRootNode.call(of),

    localName,
    id: getter(Element.prototype, 'id'),
    attributes: getter(Element.prototype, 'attributes'),
    shadowRoot: getter(Element.prototype, 'shadowRoot'),
    children: getter(Element.prototype, 'children'),
    childElementCount: getter(Element.prototype, 'childElementCount'),
    firstElementChild: getter(Element.prototype, 'firstElementChild'),
    clientLeft: getter(Element.prototype, 'clientLeft'),
    clientTop: getter(Element.prototype, 'clientTop'),
    clientWidth: getter(Element.prototype, 'clientWidth'),
    clientHeight: getter(Element.prototype, 'clientHeight'),
    scrollLeft: getter(Element.prototype, 'scrollLeft'),
    scrollTop: getter(Element.prototype, 'scrollTop'),
    scrollWidth: getter(Element.prototype, 'scrollWidth'),
    scrollHeight: getter(Element.prototype, 'scrollHeight'),
    getAttribute: (of: Element, name: string): string | null => getAttribute.call(of, name),
    hasAttribute: (of: Element, name: string): boolean => hasAttribute.call(of, name),
    hasAttributes: (of: Element): boolean => hasAttributes.call(of),
    getAttributeNames: (of: Element): string[] => getAttributeNames.call(of),
    matches: (of: Element, selector: string): boolean => matches.call(of, selector),
    closest: (of: Element, selector: string): Element | null => closest.call(of, selector),
    querySelector: (of: Element, selector: string): Element | null => querySelector.call(of, selector),
    querySelectorAll: (of: Element, selector: string): NodeListOf<Element> => querySelectorAll.call(of, selector),
    checkVisibility: (of: Element, options?: CheckVisibilityOptions): boolean => checkVisibility.call(of, options),
    getBoundingClientRect: (of: Element): DOMRect => getBoundingClientRect.call(of),
    getClientRects: (of: Element): DOMRectList => getClientRects.call(of),
    getAnimations: (of: Element): Animation[] => getAnimations.call(of),
    scrollIntoView: (of: Element, options: ScrollIntoViewOptions): void => scrollIntoView.call(of, options),
    scrollIntoViewIfNeeded: (of: Element): void => scrollIntoViewIfNeeded.call(of),
    dispatchEvent: (of: EventTarget, event: Event): boolean => dispatchEvent.call(of, event),
    assignedSlot: (of: Node): HTMLSlotElement | null => {
      if (nodeType(of) === 1) return slotOfElement(of as Element);
      return nodeType(of) === 3 ? slotOfText(of as Text) : null;
    },

    /** For the properties of a control; undefined for a form, whose fields would hide them. */
    asControl: (of: Element): HTMLInputElement | undefined =>
      localName(of) === 'form' ? undefined : (of as HTMLInputElement),
    /** Undefined for an element that is not HTML and has no such text. */
    innerText: (of: Element): string | undefined => (isHtml(of) ? innerText(of) : undefined),
    isContentEditable: (of: Element): boolean => isHtml(of) && isContentEditable(of),
    offsetWidth: (of: Element): number => (isHtml(of) ? offsetWidth(of) : 0),
    offsetHeight: (of: Element): number => (isHtml(of) ? offsetHeight(of) : 0),
    focus: (of: Element): void => (isHtml(of) ? focus.call(of) : (of as SVGElement).focus?.()),
  };
}
