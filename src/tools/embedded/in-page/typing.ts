/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** What has the focus, and whether a control took what it was given. */
import type { InputActions, Taken } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installTyping(actions: InputActions): void {
  const { asControl, getAttribute, isContentEditable, localName, ownerDocument, shadowRoot, textContent } = actions.dom;
  /** An editor may apply what was typed a moment later. */
  const TAKE_MS = 300;
  const NO_TEXT = new Set(['button', 'checkbox', 'file', 'hidden', 'image', 'radio', 'reset', 'submit']);

  actions.takesText = (element) => {
    const tag = localName(element);
    if (tag === 'textarea') return true;
    if (tag === 'input') return !NO_TEXT.has((element as HTMLInputElement).type);
    return isContentEditable(element);
  };

  actions.toggled = (element) => {
    const type = localName(element) === 'input' ? (element as HTMLInputElement).type : '';
    if (type === 'checkbox' || type === 'radio') return (element as HTMLInputElement).checked;
    const isToggle = ['checkbox', 'radio', 'switch'].includes(actions.role(element));
    return isToggle ? getAttribute(element, 'aria-checked') === 'true' : undefined;
  };

  actions.focused = () => {
    let at: Element | null = document.activeElement;
    for (;;) {
      const inner: Document | ShadowRoot | null = at && (shadowRoot(at) ?? actions.frameDocument(at));
      if (!inner?.activeElement) break;
      at = inner.activeElement;
    }
    if (!at || ['body', 'html'].includes(localName(at))) return { kind: 'nothing' };
    const number = actions.numberOf(at);
    if (actions.isFrame(at)) return { kind: 'frame', number };
    // Terminals and editors keep the focus in a field of no size, and listen to its keys.
    const isField = actions.takesText(at) && actions.isShown(at) && !actions.isDisabled(at) && !asControl(at)?.readOnly;
    return { kind: isField ? 'field' : 'other', number, line: actions.line(at, actions.role(at), true) };
  };

  const contentOf = (element: Element): string =>
    isContentEditable(element) ? (textContent(element) ?? '') : (element as HTMLInputElement).value;

  interface Watch {
    element: Element;
    before: string;
    /** The content at the last input event, before the page's own handlers changed it. */
    entered: string;
    keys: Event[];
    stop(): void;
  }
  let watching: Watch | undefined;

  actions.watchTyping = (element) => {
    watching?.stop();
    const watch: Watch = { element, before: contentOf(element), entered: '', keys: [], stop: () => {} };
    const view = ownerDocument(element).defaultView;
    const note = (event: Event): void => {
      if (!event.composedPath().includes(element)) return;
      if (event.type === 'input') watch.entered = contentOf(element);
      else watch.keys.push(event);
    };
    for (const type of ['input', 'keydown']) view?.addEventListener(type, note, { capture: true });
    watch.stop = () => {
      for (const type of ['input', 'keydown']) view?.removeEventListener(type, note, { capture: true });
    };
    watching = watch;
  };

  /** How it is now. Undefined: it does not have the value, or not yet. */
  function settled(element: Element, value: unknown): Taken['state'] | undefined {
    const toggle = actions.toggled(element);
    if (toggle !== undefined) return toggle === value ? 'taken' : undefined;
    const content = contentOf(element);
    if (watching?.element !== element || content === value) return 'taken';
    if (content !== '') return content === watching.before ? undefined : 'taken';
    // A chat, for example, takes the text out of its field. A field that refuses a text is emptied too, because the old text was to be replaced.
    return watching.entered === '' ? undefined : 'emptied';
  }

  /** What is said of a control that does not have the value. */
  function refused(element: Element): Taken['state'] {
    if (watching?.element !== element || contentOf(element) !== watching.before) return 'refused';
    // A terminal, for example, listens to the keys of a field and leaves the field empty.
    return watching.keys.some(({ defaultPrevented }) => defaultPrevented) ? 'handled' : 'refused';
  }

  actions.taken = async ({ number, value }) => {
    const end = performance.now() + TAKE_MS;
    let waited = false;
    try {
      for (;;) {
        const element = actions.element(number);
        // What the page removed because of the input has taken it.
        if (!element) return { state: 'taken', line: '' };
        const line = actions.line(element, actions.role(element), true);
        const state = settled(element, value);
        if (state) return { state, line };
        const left = end - performance.now();
        if (left <= 0) return { state: refused(element), line };
        waited = true;
        await actions.change({ since: actions.changes(), ms: left });
      }
    } finally {
      watching?.stop();
      watching = undefined;
      if (waited) actions.rest({});
    }
  };
}
