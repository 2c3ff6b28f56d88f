/**
 * WebArena's `program_html` as a contract: what the last page, or a page that is opened after the end, must show in an element or hold in a
 * control. WebArena compares without case, as these patterns do.
 */
import { type Assertion, escapePattern } from '../../contracts/index.ts';
import { NotPortable } from './imported-row.ts';
import { type Sites, withSites } from './sites.ts';
import type { PageRule } from './webarena-row.ts';

const ELEMENT =
  /^document\.querySelector\((["'])((?:(?!\1).){1,500})\1\)\.(outerText|innerText|textContent|value|selectedIndex)$/;

export function pageContract({ url, locator, required_contents, prep_actions }: PageRule, sites: Sites): Assertion[] {
  if (url.startsWith('func:')) throw new NotPortable(`It needs a helper in Python to find a page (${short(url)}).`);
  if (prep_actions !== undefined) throw new NotPortable('It runs code in the page before it looks.');
  const page = url === 'last' ? {} : { page_url: withSites(url, sites) };
  const { selector, property } = elementOf(locator.trim());
  const { must_include = [], exact_match } = required_contents;
  if (property === 'selectedIndex') return [optionSelected(selector ?? '', exact_match, page)];
  const patterns = [
    ...must_include.map((wanted) => `(?i)${anyOf(wanted)}`),
    ...(exact_match === undefined ? [] : [`(?i)^\\s*${anyOf(exact_match)}\\s*$`]),
  ];
  if (patterns.length === 0) throw new NotPortable('It names no text.');
  return patterns.map(
    (pattern): Assertion =>
      property === 'value'
        ? { kind: 'dom_value', selector: selector ?? '', pattern, ...page }
        : { kind: 'dom_text', ...(selector === undefined ? {} : { selector }), pattern, ...page },
  );
}

/** Without a locator, it is the whole page. */
function elementOf(locator: string): { selector?: string; property?: string | undefined } {
  if (locator === '') return {};
  if (locator.startsWith('func:')) throw new NotPortable(`It needs a helper in Python (${short(locator)}).`);
  const [, , selector, property] = ELEMENT.exec(locator) ?? [];
  if (selector !== undefined) return { selector: closed(selector), property };
  throw new NotPortable(`It reads a value of the page's script that contracts cannot see (${short(locator)}).`);
}

/** Browsers close what a selector leaves open at its end, as some of these do. */
function closed(selector: string): string {
  const open = selector.split('[').length - selector.split(']').length;
  return selector + ']'.repeat(Math.max(0, open));
}

/** Options are counted from 0 there, and from 1 in a selector. */
function optionSelected(selector: string, index: string | undefined, page: { page_url?: string }): Assertion {
  if (index === undefined || !/^\d{1,4}$/.test(index))
    throw new NotPortable('It compares the number of an option with something else than one number.');
  const option = `${selector} option:nth-of-type(${Number(index) + 1})`;
  return { kind: 'dom_value', selector: option, selected: true, ...page };
}

function anyOf(wanted: string): string {
  return `(?:${wanted.split(' |OR| ').map(escapePattern).join('|')})`;
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}…` : text;
}
