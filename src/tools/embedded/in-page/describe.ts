/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Describes one element in one line: `[a3] textbox "Name" = "Ada" required`. */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installDescribe(actions: InputActions): void {
  const {
    getAttribute,
    getAttributeNames,
    hasAttributes,
    id,
    innerText,
    localName,
    matches,
    ownerDocument,
    parentElement,
  } = actions.dom;
  const MAX_VALUE = 200;
  const MAX_HREF = 100;
  const MAX_OPTIONS = 12;
  const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`;

  function value(element: Element, role: string): string {
    const tag = localName(element);
    if (tag === 'select') {
      const { options, selectedOptions } = element as HTMLSelectElement;
      const chosen = [...selectedOptions].map((option) => option.text).join(', ');
      const listed = [...options].slice(0, MAX_OPTIONS).map((option) => cut(option.text, 40));
      const more = options.length > MAX_OPTIONS ? ` | … ${options.length} in all` : '';
      return ` = ${quote(chosen)} (options: ${listed.join(' | ')}${more})`;
    }
    if (tag === 'input' || tag === 'textarea') {
      const control = element as HTMLInputElement;
      // The value of a password field is not shown, nor is its length.
      if (control.type === 'password') return control.value === '' ? '' : ' = (filled)';
      if (control.type === 'file') {
        const names = [...(control.files ?? [])].map((file) => file.name);
        return names.length > 0 ? ` = ${quote(names.join(', '))}` : '';
      }
      if (role === 'button' || role === 'checkbox' || role === 'radio' || role === '') return '';
      return control.value === '' ? '' : ` = ${quote(cut(actions.clean(control.value), MAX_VALUE))}`;
    }
    if (role === 'textbox' || role === 'searchbox') {
      const text = actions.clean(innerText(element) ?? '');
      return text === '' ? '' : ` = ${quote(cut(text, MAX_VALUE))}`;
    }
    if (role === 'button' || role === 'link' || role === 'heading' || !hasAttributes(element)) return '';
    const now = getAttribute(element, 'aria-valuetext') ?? getAttribute(element, 'aria-valuenow');
    if (now !== null) return ` = ${now}`;
    if (tag === 'progress' || tag === 'meter') return ` = ${(element as HTMLProgressElement).value}`;
    return '';
  }

  const CONTROLS = new Set(['input', 'select', 'textarea', 'button', 'option', 'optgroup', 'fieldset']);
  const origins = new WeakMap<Document, string>();

  /** Most elements have none of these attributes, and reading all names once is cheaper than one query per attribute. */
  function aria(element: Element): Record<string, string | null> | undefined {
    let found: Record<string, string | null> | undefined;
    for (const name of getAttributeNames(element)) {
      if (!name.startsWith('aria-') && name !== 'draggable') continue;
      found ??= {};
      found[name] = getAttribute(element, name);
    }
    return found;
  }

  function states(element: Element, role: string): string {
    const said: string[] = [];
    const given = aria(element);
    const tag = localName(element);
    const control = CONTROLS.has(tag) ? (element as HTMLInputElement) : undefined;
    const is = (name: string, value = 'true'): boolean => given?.[`aria-${name}`] === value;
    if (control?.indeterminate === true || is('checked', 'mixed')) said.push('mixed');
    else if ((control?.checked === true && role !== 'textbox') || is('checked')) said.push('checked');
    const open = tag === 'summary' ? (parentElement(element) as HTMLDetailsElement | null)?.open : undefined;
    if (is('expanded') || open === true) said.push('expanded');
    if (is('expanded', 'false') || open === false) said.push('collapsed');
    if (is('selected') || (tag === 'option' && (element as HTMLOptionElement).selected)) said.push('selected');
    if (is('pressed')) said.push('pressed');
    if (given?.['aria-current'] && !is('current', 'false')) said.push('current');
    if (is('disabled') || (control && matches(element, ':disabled'))) said.push('disabled');
    if (control?.readOnly === true || is('readonly')) said.push('readonly');
    if (control?.required === true || is('required')) said.push('required');
    if (is('invalid')) said.push('invalid');
    if (control?.multiple === true) said.push('multiple');
    if (given?.['draggable'] === 'true') said.push('draggable');
    if (matches(element, ':focus') && tag !== 'body') said.push('focused');
    return said.length === 0 ? '' : ` ${said.join(' ')}`;
  }

  function href(element: Element, role: string): string {
    if (role !== 'link') return '';
    const written = getAttribute(element, 'href');
    if (!written) return '';
    let origin = origins.get(ownerDocument(element));
    if (origin === undefined) {
      origin = `${ownerDocument(element).location.origin}/`;
      origins.set(ownerDocument(element), origin);
    }
    const short = written.startsWith(origin) ? written.slice(origin.length - 1) : written;
    return ` → ${cut(short, MAX_HREF)}`;
  }

  actions.line = (element, role, withRef, byContent = true) => {
    const shown = role || (getAttribute(element, 'draggable') === 'true' ? 'draggable' : localName(element));
    const level = role === 'heading' ? ` ${getAttribute(element, 'aria-level') ?? localName(element).slice(1)}` : '';
    const name = actions.name(element, role || 'clickable', byContent);
    const ref = withRef ? `[${actions.letters}${actions.numberOf(element)}] ` : '';
    return `${ref}${shown}${level}${name === '' ? '' : ` ${quote(name)}`}${value(element, role)}${href(element, role)}${states(element, role)}`;
  };

  actions.describe = (element) => {
    const role = actions.role(element);
    const given = id(element);
    const name = cut(actions.name(element, role || 'clickable'), 60);
    return `${role || localName(element)}${name ? ` ${quote(name)}` : given && `#${given}`}`;
  };

  actions.tell = ({ number }) => {
    const element = actions.element(number);
    if (!element) return actions.stale(number);
    return { line: actions.line(element, actions.role(element), true) };
  };

  actions.at = ({ x, y, arm }) => {
    const found = actions.hit(x, y);
    actions.disarm();
    if (found && arm) actions.guard(found, 'drag');
    return { line: found ? actions.describe(found) : null, view: [innerWidth, innerHeight] };
  };
}
