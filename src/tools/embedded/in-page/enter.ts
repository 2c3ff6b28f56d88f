/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Prepares a control for keys, or sets its value. Text is inserted from outside as real input. Values that no keyboard can enter in a headless
 * browser (the options of a select, a date, a colour, a slider) is set here with the events that the browser itself would send.
 */
import type { Entry, EntryRequest, InputActions, Refused } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installEnter(actions: InputActions): void {
  const {
    asControl,
    dispatchEvent,
    focus,
    getAttribute,
    isContentEditable,
    localName,
    ownerDocument,
    scrollIntoViewIfNeeded,
  } = actions.dom;
  /** Their text consists of parts that an insertion does not reach. */
  const SET_DIRECTLY = new Set(['date', 'datetime-local', 'month', 'week', 'time', 'color', 'range']);
  const bad = (message: string): Refused => ({ ok: false, kind: 'bad_argument', message });

  function tellChange(element: Element): void {
    dispatchEvent(element, new Event('input', { bubbles: true, composed: true }));
    dispatchEvent(element, new Event('change', { bubbles: true }));
  }

  function choose(select: HTMLSelectElement, value: EntryRequest['value'], said: string): Entry | Refused {
    const wanted = (Array.isArray(value) ? value : [value]).map((one) => actions.clean(String(one)));
    if (wanted.length > 1 && !select.multiple) return bad(`${said} takes one option, and ${wanted.length} were given.`);
    const options = [...select.options];
    const chosen = new Set<HTMLOptionElement>();
    for (const one of wanted) {
      const option =
        options.find((each) => each.value === one) ??
        options.find((each) => actions.clean(each.label) === one || actions.clean(each.text) === one) ??
        options.find((each) => actions.clean(each.text).toLowerCase() === one.toLowerCase());
      if (!option) {
        const listed = options.slice(0, 20).map((each) => `"${actions.clean(each.text)}"`);
        return bad(`${said} has no option "${one}"; it has ${listed.join(', ')}${options.length > 20 ? ', …' : ''}.`);
      }
      if (option.disabled)
        return { ok: false, kind: 'disabled', message: `The option "${one}" of ${said} is disabled.` };
      chosen.add(option);
    }
    focus(select);
    const before = options.map((option) => option.selected).join();
    for (const option of options) option.selected = chosen.has(option);
    if (options.map((option) => option.selected).join() !== before) tellChange(select);
    return { ok: true, next: 'nothing' };
  }

  function isEditable(element: Element): boolean {
    return isContentEditable(element);
  }

  function select(element: Element, append: boolean): void {
    const control = element as HTMLInputElement;
    focus(control);
    if (!isEditable(element)) {
      if (!append) return control.select?.();
      try {
        const end = control.value.length;
        control.setSelectionRange(end, end);
      } catch {
        // Some kinds of input (email, number) have no selection to set; the caret is at their end after focus.
      }
      return;
    }
    const range = ownerDocument(element).createRange();
    range.selectNodeContents(element);
    if (append) range.collapse(false);
    const selection = ownerDocument(element).defaultView?.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  }

  function put(element: Element, { value, append }: EntryRequest): Entry | Refused {
    const said = actions.describe(element);
    const tag = localName(element);
    const type = tag === 'input' ? (element as HTMLInputElement).type : '';
    if (tag === 'select') return choose(element as HTMLSelectElement, value, said);
    if (type === 'file') return { ok: true, next: 'files' };
    const role = actions.role(element);
    if (type === 'checkbox' || type === 'radio' || role === 'checkbox' || role === 'radio' || role === 'switch') {
      const wanted =
        typeof value === 'boolean' ? value : { true: true, on: true, false: false, off: false }[String(value)];
      if (wanted === undefined) return bad(`${said} takes true or false.`);
      const checked = type ? (element as HTMLInputElement).checked : getAttribute(element, 'aria-checked') === 'true';
      if (role === 'radio' && !wanted && checked)
        return bad(`${said} can't be unchecked; choose another one of its group.`);
      return { ok: true, next: checked === wanted ? 'nothing' : 'click' };
    }
    if (Array.isArray(value)) return bad(`${said} takes one value, not a list.`);
    const text = String(value ?? '');
    if (SET_DIRECTLY.has(type)) {
      const control = element as HTMLInputElement;
      focus(control);
      const before = control.value;
      control.value = text;
      if (control.value === '' && text !== '') {
        control.value = before;
        return bad(
          `${said} does not take "${text}"; a value like "${{ color: '#ff8800', date: '2026-01-31', time: '13:45' }[type] ?? '2026-01-31T13:45'}" is needed.`,
        );
      }
      if (control.value !== before) tellChange(control);
      return { ok: true, next: 'nothing' };
    }
    const isText =
      tag === 'textarea' || (tag === 'input' && !['button', 'submit', 'reset', 'image', 'hidden'].includes(type));
    if (!isText && !isEditable(element)) return bad(`${said} takes no text.`);
    if (asControl(element)?.readOnly === true || getAttribute(element, 'aria-readonly') === 'true') {
      return { ok: false, kind: 'disabled', message: `${said} is read-only.` };
    }
    select(element, append === true);
    return { ok: true, next: 'insert', text };
  }

  function attempt(element: Element, request: EntryRequest): Entry | Refused {
    const said = actions.describe(element);
    // File inputs are usually hidden behind styled buttons, and need no click.
    const isFile = asControl(element)?.type === 'file';
    if (!isFile && !actions.isShown(element) && !asControl(element)?.labels?.length) {
      return { ok: false, kind: 'not_visible', message: `${said} is not visible.` };
    }
    if (actions.isDisabled(element)) return { ok: false, kind: 'disabled', message: `${said} is disabled.` };
    if (!isFile) scrollIntoViewIfNeeded(element);
    if (request.purpose === 'put') return put(element, request);
    focus(element);
    return { ok: true, next: 'nothing' };
  }

  actions.enter = async (request) => {
    const deadline = performance.now() + request.waitMs;
    let waited = false;
    try {
      for (;;) {
        const element = actions.element(request.number);
        if (!element) return actions.stale(request.number);
        const result = attempt(element, request);
        const left = deadline - performance.now();
        if (result.ok || result.kind === 'bad_argument' || left <= 0) return result;
        waited = true;
        await actions.change({ since: actions.changes(), ms: left });
      }
    } finally {
      if (waited) actions.rest({});
    }
  };
}
