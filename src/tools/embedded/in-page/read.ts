/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Writes the page as text: actionable elements with their refs, and readable text, nested where the nesting has a meaning. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installRead(actions: InputActions): void {
  const {
    checkVisibility,
    firstElementChild,
    getAttribute,
    hasAttribute,
    hasAttributes,
    localName,
    nodeType,
    querySelector,
  } = actions.dom;
  interface Item {
    text: string;
    /** Text of the page without an element. */
    plain: boolean;
    items: Item[];
    foreign?: number;
  }

  const MAX_DEPTH = 400;
  const MAX_TEXT = 600;
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'datalist', 'source', 'track']);
  /** Roles whose elements are written in one line, whatever is inside. */
  const LEAF = new Set(
    'button link checkbox radio textbox combobox listbox searchbox switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio option color date file image canvas audio video progressbar meter'.split(
      ' ',
    ),
  );
  /** Roles that are written before their text: `status: Saved.` */
  const PREFIX = new Set(
    'heading listitem cell gridcell columnheader rowheader status alert log note tooltip'.split(' '),
  );
  /** Roles that add nothing to the text. */
  const PLAIN = new Set([
    'paragraph',
    'definition',
    'term',
    'generic',
    'none',
    'presentation',
    'group',
    'separator',
    'text',
  ]);
  const CONTROLS =
    'a[href],button,input:not([type=hidden]),select,textarea,summary,[tabindex],[role=button],[role=link],[contenteditable]';

  let only = false;
  let out: Item[] = [];
  let run = '';

  function flush(): void {
    const text = actions.clean(run);
    run = '';
    if (text === '' || only) return;
    out.push({ text: text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text, plain: true, items: [] });
  }

  /** Collects the children of an element as its items. */
  function inside(element: Element, depth: number, muted: boolean): Item[] {
    flush();
    const before = out;
    out = [];
    actions.eachChild(element, (child) => visit(child, depth + 1, muted));
    flush();
    const items = out;
    out = before;
    return items;
  }

  function visit(node: Node, depth: number, muted: boolean): void {
    if (nodeType(node) === 3) {
      if (!muted) run += (node as Text).data;
      return;
    }
    if (nodeType(node) !== 1 || depth > MAX_DEPTH) return;
    const element = node as Element;
    const tag = localName(element);
    if (SILENT.has(tag)) return;
    if (hasAttributes(element) && (getAttribute(element, 'aria-hidden') === 'true' || hasAttribute(element, 'inert')))
      return;
    if (tag === 'br') {
      run += ' ';
      return;
    }
    const shown = checkVisibility(element, { visibilityProperty: true });
    // The element has no box, or is hidden while its children may be visible, so each child is checked itself.
    if (!shown && getComputedStyle(element).display !== 'contents' && !checkVisibility(element)) return;
    const role = actions.role(element);
    if (tag === 'label' && label(element as HTMLLabelElement, depth)) return;
    if (shown && LEAF.has(role) && line(element, role, '', depth)) return;
    // Reading styles is the most expensive part, so elements that are a line of their own skip it.
    const { display, cursor } = getComputedStyle(element);
    if (shown && line(element, role, cursor, depth)) return;
    const inline = display.startsWith('inline') || display === 'contents';
    const wordless = !shown && display !== 'contents';
    // Text directly inside a closed disclosure has no element that shows that it is hidden.
    const closed = tag === 'details' && !(element as HTMLDetailsElement).open;
    if (!inline) flush();
    actions.eachChild(element, (child) => {
      if (nodeType(child) !== 3 || !(wordless || closed)) visit(child, depth + 1, muted);
    });
    if (!inline) flush();
  }

  /** The text of a label is the name of its control, and is written there. */
  function label(element: HTMLLabelElement, depth: number): boolean {
    const { control } = element;
    if (!control) return false;
    flush();
    if (!actions.isShown(control) && actions.isShown(element)) push(actions.line(control, actions.role(control), true));
    actions.eachChild(element, (child) => visit(child, depth + 1, true));
    return true;
  }

  function push(text: string, items: Item[] = []): Item {
    const item: Item = { text, plain: false, items };
    out.push(item);
    return item;
  }

  /** Writes an element as a line or a group; false where its children are written instead. */
  function line(element: Element, role: string, cursor: string, depth: number): boolean {
    if (actions.isFrame(element)) return frame(element, depth);
    const actionable = actions.isActionable(element, role) || isClickable(element, cursor);
    if (LEAF.has(role) || (actionable && role !== 'dialog')) {
      if (!actionable && actions.name(element, role) === '' && role !== 'canvas') return true;
      if (only && !actionable) return true;
      const nests =
        localName(element) !== 'select' &&
        firstElementChild(element) !== null &&
        querySelector(element, CONTROLS) !== null;
      const isText = role === 'textbox' || role === 'searchbox';
      flush();
      if (!nests || isText) push(actions.line(element, role, true));
      else group(element, role, depth);
      return true;
    }
    if (role === '' || PLAIN.has(role)) {
      // A named group is a fieldset with a legend or similar, and gets a line.
      if (role !== 'group' || actions.name(element, role) === '') return false;
    }
    if (only) return false;
    group(element, role, depth);
    return true;
  }

  function group(element: Element, role: string, depth: number): void {
    const items = inside(element, depth, false);
    const prefix = PREFIX.has(role) && !actions.isActionable(element, role);
    if (items.length === 0 && (prefix || role !== 'region')) {
      if (role === 'heading' || actions.isActionable(element, role)) push(actions.line(element, role, true));
      return;
    }
    if (role === 'row') {
      const cells = items.map(cellText);
      if (cells.every((cell) => cell !== undefined)) {
        push(`row: ${cells.join(' | ')}`);
        return;
      }
    }
    if (!prefix) {
      if (only) out.push(...items);
      else push(actions.line(element, role, true, false), items);
      return;
    }
    const level = role === 'heading' ? ` ${getAttribute(element, 'aria-level') ?? localName(element).slice(1)}` : '';
    const head = role === 'listitem' ? '- ' : `${role}${level}: `;
    const [first, ...rest] = items;
    if (first && (first.plain || rest.length === 0)) {
      const item = push(head + first.text, [...first.items, ...rest]);
      if (first.foreign !== undefined) item.foreign = first.foreign;
    } else push(head.trim(), items);
  }

  function cellText(item: Item): string | undefined {
    if (item.items.length > 0) return undefined;
    return item.plain ? item.text : /^(?:cell|columnheader|rowheader|gridcell): ([^[].*)$/.exec(item.text)?.[1];
  }

  function frame(element: Element, depth: number): boolean {
    const inner = actions.frameDocument(element);
    const items = inner ? inside(element, depth, false) : [];
    if (only) {
      out.push(...items);
      if (!inner) out.push({ text: '', plain: true, items: [], foreign: actions.numberOf(element) });
      return true;
    }
    flush();
    const item = push(actions.line(element, 'iframe', true), items);
    if (!inner) item.foreign = actions.numberOf(element);
    return true;
  }

  /** An element without role and tab stop but with a pointer cursor. Many pages make their buttons like this. */
  function isClickable(element: Element, cursor: string): boolean {
    if (
      cursor !== 'pointer' ||
      localName(element) === 'label' ||
      localName(element) === 'html' ||
      localName(element) === 'body'
    )
      return false;
    const parent = actions.parent(element);
    if (parent && getComputedStyle(parent).cursor === 'pointer') return false;
    return querySelector(element, CONTROLS) === null;
  }

  actions.read = ({ filter, number }) => {
    only = filter === 'interactive';
    out = [];
    run = '';
    const start = number === undefined ? document.body : actions.element(number);
    if (number !== undefined && !start) return actions.stale(number);
    if (start) visit(start, 0, false);
    flush();
    const lines: string[] = [];
    const foreign: { number: number; after: number; depth: number }[] = [];
    const tell = (items: Item[], depth: number): void => {
      for (const item of items) {
        if (item.text !== '') lines.push(' '.repeat(depth) + item.text);
        if (item.foreign !== undefined) foreign.push({ number: item.foreign, after: lines.length, depth: depth + 1 });
        tell(item.items, depth + 1);
      }
    };
    tell(out, 0);
    out = [];
    return { ok: true, url: document.URL, title: document.title, lines, foreign };
  };
}
