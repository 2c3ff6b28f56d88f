/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Roles and names of elements, as in the accessibility tree: the common parts of HTML-AAM and accname.
 * Not implemented: CSS-generated content, `aria-owns`, presentational children, names from nested combo boxes.
 */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installNames(actions: InputActions): void {
  const {
    asControl,
    checkVisibility,
    children,
    firstElementChild,
    getAttribute,
    getRootNode,
    hasAttribute,
    hasAttributes,
    localName,
    matches,
    nodeType,
    shadowRoot,
    textContent,
  } = actions.dom;
  const MAX_NAME = 160;
  const MAX_DEPTH = 200;
  // biome-ignore format: a table
  const BY_TAG: Record<string, string> = {
    article: 'article', aside: 'complementary', button: 'button', dd: 'definition', details: 'group', dialog: 'dialog', dt: 'term',
    fieldset: 'group', figure: 'figure', footer: 'contentinfo', form: 'form', frame: 'iframe', h1: 'heading', h2: 'heading', h3: 'heading',
    h4: 'heading', h5: 'heading', h6: 'heading', header: 'banner', hr: 'separator', iframe: 'iframe', li: 'listitem', main: 'main',
    menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', option: 'option', output: 'status', progress: 'progressbar',
    summary: 'button', table: 'table', td: 'cell', textarea: 'textbox', th: 'columnheader', tr: 'row', ul: 'list',
    audio: 'audio', video: 'video', canvas: 'canvas', p: 'paragraph', optgroup: 'group', search: 'search', svg: 'image',
  };
  // biome-ignore format: a table
  const BY_TYPE: Record<string, string> = {
    button: 'button', checkbox: 'checkbox', color: 'color', date: 'date', 'datetime-local': 'date', file: 'file', hidden: '', image: 'button',
    month: 'date', number: 'spinbutton', radio: 'radio', range: 'slider', reset: 'button', search: 'searchbox', submit: 'button',
    time: 'date', week: 'date',
  };
  const ACTIONABLE = new Set(
    'button link checkbox radio textbox combobox listbox searchbox switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio option treeitem color date file'.split(
      ' ',
    ),
  );
  const NAMED_BY_CONTENT = new Set(
    'button link heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem cell gridcell columnheader rowheader row listitem tooltip clickable term definition paragraph status alert'.split(
      ' ',
    ),
  );

  actions.clean = (text) => text.replace(/\s+/g, ' ').trim();

  actions.role = (element) => {
    const given = hasAttributes(element) ? getAttribute(element, 'role') : null;
    if (given) {
      const first = given.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
      if (first && first !== 'none' && first !== 'presentation') return first === 'img' ? 'image' : first;
      if (first) return '';
    }
    const tag = localName(element);
    if (tag === 'a' || tag === 'area') return hasAttribute(element, 'href') ? 'link' : '';
    if (tag === 'input') return BY_TYPE[(element as HTMLInputElement).type] ?? 'textbox';
    if (tag === 'select') {
      const { multiple, size } = element as HTMLSelectElement;
      return multiple || size > 1 ? 'listbox' : 'combobox';
    }
    if (tag === 'img') return getAttribute(element, 'alt') === '' ? '' : 'image';
    if (tag === 'section')
      return hasAttribute(element, 'aria-label') || hasAttribute(element, 'aria-labelledby') ? 'region' : '';
    const implied = BY_TAG[tag];
    if (implied !== undefined) return implied;
    if (isEditingHost(element)) return 'textbox';
    return '';
  };

  function isEditingHost(element: Element): boolean {
    const editable = hasAttributes(element) ? getAttribute(element, 'contenteditable') : null;
    return editable !== null && editable !== 'false';
  }

  actions.isActionable = (element, role) => {
    if (ACTIONABLE.has(role)) return true;
    if (localName(element) === 'summary') return true;
    if (!hasAttributes(element)) return false;
    if (hasAttribute(element, 'onclick')) return true;
    if (getAttribute(element, 'draggable') === 'true') return true;
    const tabindex = getAttribute(element, 'tabindex');
    if (tabindex !== null && Number(tabindex) >= 0) return true;
    return isEditingHost(element);
  };

  actions.isDisabled = (element) => {
    if (matches(element, ':disabled')) return true;
    for (let at: Element | null = element; at; at = actions.parent(at)) {
      if (getAttribute(at, 'aria-disabled') === 'true') return true;
      if (hasAttribute(at, 'inert')) return true;
    }
    return false;
  };

  function byIds(element: Element, attribute: string): string {
    const ids = getAttribute(element, attribute);
    if (!ids) return '';
    const root = getRootNode(element) as Document | ShadowRoot;
    const parts = ids
      .trim()
      .split(/\s+/)
      .map((id) => root.getElementById?.(id))
      .filter((found): found is HTMLElement => found !== null && found !== undefined)
      .map((found) => actions.clean(getAttribute(found, 'aria-label') ?? words(found, 0, true)));
    return parts.filter((part) => part !== '').join(' ');
  }

  function byHost(element: Element): string {
    const tag = localName(element);
    const labels = asControl(element)?.labels;
    if (labels && labels.length > 0) {
      const text = [...labels]
        .map((label) => actions.clean(words(label, 0, true, element)))
        .filter((part) => part !== '');
      if (text.length > 0) return text.join(' ');
    }
    if (tag === 'input') {
      const { type, value } = element as HTMLInputElement;
      if (type === 'submit') return actions.clean(value) || 'Submit';
      if (type === 'reset') return actions.clean(value) || 'Reset';
      if (type === 'button') return actions.clean(value);
      if (type === 'image') return actions.clean(getAttribute(element, 'alt') ?? '') || 'Submit';
    }
    if (tag === 'img' || tag === 'area') return actions.clean(getAttribute(element, 'alt') ?? '');
    const inner = { fieldset: 'legend', table: 'caption', figure: 'figcaption', svg: 'title', optgroup: '' }[tag];
    if (inner) {
      const found = [...children(element)].find((child) => localName(child) === inner);
      if (found) return actions.clean(words(found, 0, true));
    }
    if (tag === 'optgroup') return actions.clean(getAttribute(element, 'label') ?? '');
    return '';
  }

  /** The text inside an element; `all` includes hidden text, because references and labels may point to it. */
  function words(node: Node, depth: number, all: boolean, except?: Element): string {
    if (nodeType(node) === 3) return (node as Text).data;
    if (nodeType(node) !== 1 || node === except || depth > MAX_DEPTH) return '';
    const element = node as Element;
    const tag = localName(element);
    if (tag === 'script' || tag === 'style' || tag === 'template' || tag === 'noscript') return '';
    if (depth > 0) {
      if (getAttribute(element, 'aria-hidden') === 'true') return '';
      const label = getAttribute(element, 'aria-label');
      if (label) return ` ${label} `;
      if (tag === 'img') return ` ${getAttribute(element, 'alt') ?? ''} `;
      if (tag === 'br') return ' ';
      if (tag === 'select') return ` ${(element as HTMLSelectElement).selectedOptions[0]?.text ?? ''} `;
      if (tag === 'textarea') return '';
      if (!all && !checkVisibility(element, { visibilityProperty: true })) {
        if (getComputedStyle(element).display !== 'contents') return '';
      }
    }
    // Only an element with child elements can have separate parts.
    if (!firstElementChild(element) && !shadowRoot(element) && tag !== 'slot') return textContent(element) ?? '';
    let text = '';
    actions.eachChild(element, (child) => {
      const part = words(child, depth + 1, all, except);
      if (part === '') return;
      const apart = nodeType(child) === 1 && !getComputedStyle(child as Element).display.startsWith('inline');
      text += apart ? ` ${part} ` : part;
    });
    return text;
  }

  actions.text = (element) => actions.clean(words(element, 0, false));

  actions.name = (element, role, byContent = true) => {
    const name =
      byIds(element, 'aria-labelledby') ||
      actions.clean(getAttribute(element, 'aria-label') ?? '') ||
      byHost(element) ||
      (byContent && NAMED_BY_CONTENT.has(role) ? actions.text(element) : '') ||
      actions.clean(getAttribute(element, 'title') ?? '') ||
      actions.clean(getAttribute(element, 'placeholder') ?? getAttribute(element, 'aria-placeholder') ?? '');
    return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name;
  };
}
