/** Finds an element by a script, for servers whose own names of elements are not used: OpenChrome and BrowserOS. */

/** The script's error for a frame of another origin. It is short, because servers add their own text to it. */
export const OTHER_SITE = 'a frame of another site';

/** By selector (">>>" into shadow roots and frames of the same origin), by role and name, by text. Throws when there is no such element. */
const FIND_ELEMENT = `(target) => {
  const clean = (text) => (text ?? '').replace(/\\s+/g, ' ').trim();
  const shown = (element) => element.getClientRects().length > 0;
  const fits = (text, wanted) => target.exact ? text === wanted : text.toLowerCase().includes(wanted.toLowerCase());
  const pick = (list, rank) => {
    const sorted = list.filter(shown).map((element) => ({ element, rank: rank(element) })).sort((a, b) => a.rank - b.rank);
    const found = sorted[(target.nth ?? 1) - 1];
    if (!found) throw new Error('element not found');
    return found.element;
  };
  if (target.selector) {
    let scope = document, list = [];
    for (const hop of target.selector.split('>>>')) {
      if (scope === null && list[0]?.localName === 'iframe') throw new Error('${OTHER_SITE}');
      list = [...(scope?.querySelectorAll(hop.trim()) ?? [])];
      scope = list[0]?.shadowRoot ?? list[0]?.contentDocument ?? null;
    }
    return pick(list, () => 0);
  }
  const roots = [document], all = [];
  for (const root of roots) {
    for (const element of root.querySelectorAll('*')) {
      all.push(element);
      const inner = element.shadowRoot ?? element.contentDocument;
      if (inner) roots.push(inner);
    }
  }
  if (target.role) {
    const IMPLICIT = { button: 'button,input[type=submit],input[type=button]', link: 'a[href]', checkbox: 'input[type=checkbox]',
      radio: 'input[type=radio]', combobox: 'select:not([multiple])', listbox: 'select[multiple]', heading: 'h1,h2,h3,h4,h5,h6',
      textbox: 'input:not([type]),input[type=text],input[type=email],input[type=password],input[type=url],input[type=tel],textarea,[contenteditable=true]',
      slider: 'input[type=range]', img: 'img', image: 'img', listitem: 'li', option: 'option' };
    const name = (element) => clean(element.getAttribute('aria-label') ?? (element.getAttribute('aria-labelledby') ?? '').split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '').join(' ')) || clean([...(element.labels ?? [])].map((label) => label.textContent).join(' '))
      || clean(element.innerText || element.value || element.alt || element.title || element.placeholder);
    const wanted = clean(target.name);
    const list = all.filter((element) => (element.getAttribute('role') === target.role || (!element.hasAttribute('role') && IMPLICIT[target.role] && element.matches(IMPLICIT[target.role]))) && (target.name === undefined || fits(name(element), wanted)));
    return pick(list, (element) => (name(element) === wanted ? 0 : 1));
  }
  const wanted = clean(target.text);
  const list = all.filter((element) => fits(clean(element.innerText ?? ''), wanted) && ![...element.children].some((child) => fits(clean(child.innerText ?? ''), wanted)));
  return pick(list, (element) => (clean(element.innerText) === wanted ? 0 : 2) + (element.closest('button,a,input,select,label,[role=button]') ? 0 : 1));
}`;

/** The expression for the element of a target. */
export function findBy(target: unknown): string {
  return `(${FIND_ELEMENT})(${JSON.stringify(target)})`;
}

/** The element's box in the viewport, after it was scrolled into view. */
export function boxOf(found: string): string {
  return `JSON.stringify((() => {
    let element;
    try {
      element = ${found};
    } catch (error) {
      if (error.message === '${OTHER_SITE}') return error.message;
      throw error;
    }
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    let { x, y, width, height } = element.getBoundingClientRect();
    for (let view = element.ownerDocument.defaultView; view.frameElement; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.x + view.frameElement.clientLeft;
      y += frame.y + view.frameElement.clientTop;
    }
    return [x, y, width, height];
  })())`;
}

/** The pop-up of a select is not part of the page, so the script does what a choice does. */
export function selectBy(target: unknown, options: readonly string[]): string {
  return `(() => {
    const list = ${findBy(target)}, wanted = ${JSON.stringify(options)};
    for (const option of list.options) option.selected = wanted.includes(option.text.trim()) || wanted.includes(option.value);
    for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, { bubbles: true }));
  })()`;
}
