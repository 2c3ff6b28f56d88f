/**
 * `program_html` as a contract: what the last page, or a page that is opened after the end, must show in an element, hold in a control, or give
 * as a value of an expression. WebArena compares without case, as these patterns do.
 */
import type { Assertion } from '../../contracts/index.ts';
import { NotPortable } from '../rows/imported-row.ts';
import { type Sites, withSites } from '../rows/sites.ts';
import { exactPattern, includedPattern } from './phrases.ts';
import type { PageRule } from './webarena-row.ts';

const ELEMENT =
  /^document\.querySelector\((["'])((?:(?!\1).){1,500})\1\)\.(outerText|innerText|textContent|value|selectedIndex)$/;
/** VisualWebArena's helper, which reads the text of an element. */
const QUERY_TEXT = /^func:get_query_text(?:_lowercase)?\(__page__,\s*(["'])(.{1,500})\1\)$/;

export interface PageRules {
  readonly assertions: Assertion[];
  /** What a model is asked about. */
  readonly criteria: string[];
  readonly notes: string[];
}

type Page = { page_url?: string };
/** Where the text is: in an element, in a control, or in what an expression gives. */
type Place = { selector?: string; property?: string | undefined } | { expression: string };

export function pageContract(rule: PageRule, sites: Sites, isVisual: boolean): PageRules {
  const { url, prep_actions } = rule;
  if (url.startsWith('func:'))
    throw new NotPortable(`It needs a helper in Python to find a page (${short(url)}).`, 'command');
  const page: Page = url === 'last' ? {} : { page_url: withSites(url, sites) };
  const { fuzzy_match, ...contents } = rule.required_contents;
  const fuzzy = fuzzy_match === undefined ? [] : [fuzzy_match].flat();
  if (fuzzy.length > 0 && url !== 'last')
    throw new NotPortable('It asks a model about a page that no screenshot shows.', 'command');
  const asserts = Object.keys(contents).length > 0;
  if (!asserts && fuzzy.length === 0) throw new NotPortable('It names no text.');
  return {
    assertions: asserts ? assertionsOf(placeOf(rule.locator.trim()), contents, page, isVisual) : [],
    criteria: fuzzy.map((wanted) => `What was entered or is shown on the last page says: ${wanted}`),
    notes:
      prep_actions === undefined
        ? []
        : ['The benchmark opens a part of the page before it looks; here it must be open.'],
  };
}

function assertionsOf(
  place: Place,
  { must_include = [], must_exclude = [], exact_match, required_values = [] }: PageRule['required_contents'],
  page: Page,
  isVisual: boolean,
): Assertion[] {
  if ('property' in place && place.property === 'selectedIndex')
    return [optionSelected(place.selector ?? '', exact_match, page)];
  const matches = (pattern: string): Assertion => matching(place, pattern, page);
  return [
    ...must_include.map((wanted) => matches(includedPattern(wanted, isVisual))),
    ...(exact_match === undefined ? [] : [matches(exactPattern(exact_match))]),
    ...must_exclude.map((wanted): Assertion => ({ kind: 'not', child: matches(includedPattern(wanted, isVisual)) })),
    ...required_values.map((wanted) => comparing(place, wanted, page)),
  ];
}

/** Without a locator, it is the whole page. */
function placeOf(locator: string): Place {
  if (locator === '') return {};
  const [, , selector, property] = ELEMENT.exec(locator) ?? [];
  if (selector !== undefined) return { selector: closed(selector), property };
  const [, , queried] = QUERY_TEXT.exec(locator) ?? [];
  if (queried !== undefined) return { selector: closed(queried) };
  if (locator.startsWith('func:')) throw new NotPortable(`It needs a helper in Python (${short(locator)}).`, 'command');
  if (locator.startsWith('document.') || locator.startsWith('[...document.'))
    return { expression: `(() => { try { return String(${locator}); } catch { return ''; } })()` };
  if (locator.startsWith('lambda:')) return { expression: calledExpression(locator.slice('lambda:'.length)) };
  throw new NotPortable(`It has a locator of another kind (${short(locator)}).`, 'command');
}

/** The benchmark's browser calls what is a function, and takes what is empty for nothing. */
function calledExpression(source: string): string {
  return `(() => { try { const found = (${source}); return (typeof found === 'function' ? found() : found) || ''; } catch { return ''; } })()`;
}

function matching(place: Place, pattern: string, page: Page): Assertion {
  if ('expression' in place) return { kind: 'script', expression: place.expression, pattern, forgeable: true, ...page };
  const { selector, property } = place;
  if (property === 'value') return { kind: 'dom_value', selector: selector ?? '', pattern, ...page };
  return { kind: 'dom_text', ...(selector === undefined ? {} : { selector }), pattern, ...page };
}

/** `>= 12`. There, the limit itself passes for `<` and `>` too. */
function comparing(place: Place, wanted: string, page: Page): Assertion {
  const [, sign, number] = /^\s*(<=|>=|==|<|>)\s*(-?\d+(?:\.\d+)?)\s*$/.exec(wanted) ?? [];
  if (sign === undefined || !('expression' in place))
    throw new NotPortable(`It compares a number (${short(wanted)}).`, 'command');
  const op = sign === '==' ? 'eq' : sign.startsWith('<') ? 'lte' : 'gte';
  return { kind: 'script', expression: place.expression, op, value: Number(number), forgeable: true, ...page };
}

/** Browsers close what a selector leaves open at its end, as some of these do. */
function closed(selector: string): string {
  const open = selector.split('[').length - selector.split(']').length;
  return selector + ']'.repeat(Math.max(0, open));
}

/** Options are counted from 0 there, and from 1 in a selector. */
function optionSelected(selector: string, index: string | undefined, page: Page): Assertion {
  if (index === undefined || !/^\d{1,4}$/.test(index))
    throw new NotPortable('It compares the number of an option with something else than one number.', 'command');
  const option = `${selector} option:nth-of-type(${Number(index) + 1})`;
  return { kind: 'dom_value', selector: option, selected: true, ...page };
}

function short(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120).toWellFormed()}…` : text;
}
