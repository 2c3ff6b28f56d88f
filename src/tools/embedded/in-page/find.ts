/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Finds elements by a description: "email field", "sign up button", "third order". */
import type { InputActions } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installFind(actions: InputActions): void {
  const {
    asControl,
    childElementCount,
    firstChild,
    getAttribute,
    getAttributeNames,
    hasAttribute,
    id,
    localName,
    nextSibling,
    nodeType,
    textContent,
  } = actions.dom;
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'html', 'body', 'title', 'meta', 'link']);
  /** Common words for roles that have another name in the accessibility tree. */
  const ROLES: Record<string, string[]> = {
    field: ['textbox', 'searchbox', 'combobox', 'spinbutton', 'date', 'file'],
    input: ['textbox', 'searchbox', 'spinbutton', 'date', 'file'],
    box: ['textbox', 'checkbox', 'combobox', 'searchbox'],
    dropdown: ['combobox', 'listbox'],
    select: ['combobox', 'listbox'],
    picture: ['image', 'canvas'],
    title: ['heading'],
    menu: ['menu', 'menuitem'],
    upload: ['file'],
    tick: ['checkbox'],
  };
  const MAX_CHILDREN = 12;
  const IDLE = new Set(['the', 'a', 'an', 'to', 'of', 'for', 'in', 'on', 'with', 'and']);

  function score(element: Element, role: string, query: string, tokens: string[]): number {
    const name = actions.name(element, role || 'clickable').toLowerCase();
    const value = String(asControl(element)?.value ?? '').toLowerCase();
    const isPassword = getAttribute(element, 'type') === 'password';
    const other = [
      id(element),
      getAttribute(element, 'name'),
      getAttribute(element, 'placeholder'),
      getAttribute(element, 'title'),
      isPassword ? '' : value,
    ]
      .join(' ')
      .toLowerCase();
    const words = ` ${name.replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
    let points = 0;
    if (name !== '' && name === query) points += 60;
    else if (name !== '' && name.startsWith(query)) points += 30;
    else if (name !== '' && name.includes(query)) points += 24;
    let matched = 0;
    for (const token of tokens) {
      if (words.includes(` ${token} `)) points += 12;
      else if (name.includes(token)) points += 7;
      else if (role === token || ROLES[token]?.includes(role)) points += 8;
      else if (other.includes(token)) points += 4;
      else continue;
      matched++;
    }
    if (matched === 0) return 0;
    if (matched === tokens.length) points += 10;
    if (actions.isActionable(element, role)) points += 6;
    // A long text that contains the word ranks lower than a short one.
    return points - Math.min(8, Math.floor(name.length / 40));
  }

  actions.find = ({ query, limit }) => {
    const wanted = actions.clean(query).toLowerCase();
    const words = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
    const tokens = words.filter((word) => !IDLE.has(word));
    const { roots, foreign } = actions.scopes();
    const scored: { element: Element; score: number }[] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) {
        if (SILENT.has(localName(element))) continue;
        const role = actions.role(element);
        const own = role !== '' || actions.isActionable(element, role) || hasOwnText(element);
        if (!own || localName(element) === 'label') continue;
        if (!mayFit(element, role, tokens.length > 0 ? tokens : words)) continue;
        const points = score(element, role, wanted, tokens.length > 0 ? tokens : words);
        if (points > 0) scored.push({ element, score: points });
      }
    }
    scored.sort((a, b) => b.score - a.score);
    const found: { number: number; score: number; line: string }[] = [];
    for (const { element, score: points } of scored) {
      if (found.length >= limit) break;
      if (!actions.isShown(element)) continue;
      found.push({
        number: actions.numberOf(element),
        score: points,
        line: actions.line(element, actions.role(element), true),
      });
    }
    return { found, foreign: foreign.map((frame) => actions.numberOf(frame)) };
  };

  /** A quick filter, because computing the name of every element of a large page is slow and most contain none of the words. */
  function mayFit(element: Element, role: string, tokens: string[]): boolean {
    if (tokens.some((token) => role === token || ROLES[token]?.includes(role))) return true;
    let raw = '';
    for (const name of getAttributeNames(element)) {
      if (name !== 'class' && name !== 'style') raw += ` ${getAttribute(element, name)}`;
    }
    if (hasAttribute(element, 'aria-labelledby') || asControl(element)?.labels?.length) return true;
    // The text of a region is long and does not describe its elements.
    if (role !== 'region' && childElementCount(element) < MAX_CHILDREN) raw += ` ${textContent(element)}`;
    if (localName(element) === 'input' || localName(element) === 'textarea')
      raw += ` ${(element as HTMLInputElement).value}`;
    const lower = raw.toLowerCase();
    return tokens.some((token) => lower.includes(token));
  }

  function hasOwnText(element: Element): boolean {
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (nodeType(child) === 3 && (child as Text).data.trim() !== '') return true;
    }
    return false;
  }
}
