/** The rules of the leaves that read the page: its text, its controls, its elements and its script. */
import canonicalize from 'canonicalize';
import { compareText, comparisonOf } from './compare-text.ts';
import {
  type ControlFact,
  type Facts,
  type PageFacts,
  selectorOf,
  type TextComparison,
  type TextFact,
} from './facts.ts';
import { compares, decided, lookUp, missing, type Rule, unknown } from './leaf-rule.ts';
import { TEXT_PREVIEW } from './limits.ts';
import type { LeafOf } from './schema.ts';

export const dom_text: Rule<'dom_text'> = (leaf, facts, steps) => {
  const { dom, page } = pageOf(leaf, facts);
  const selector = selectorOf(leaf);
  const comparison = comparisonOf(leaf);
  const expected = { selector, ...comparison, ...page };
  const text = lookUp(dom.domText, selector);
  if (text === undefined) {
    return unknown({ ...expected, text_preview: null, text_length: null }, missingDom(dom, selector, 'text'));
  }
  if (text === null) return decided(false, { ...expected, text_preview: null, text_length: 0 });
  const details = { ...expected, text_preview: previewOf(text), text_length: text.length };
  const holds = compareText(text, comparison, { steps, collapse: true });
  return holds === undefined ? unknown(details, notCompared(text, comparison)) : decided(holds, details);
};

export const dom_value: Rule<'dom_value'> = (leaf, facts, steps) => {
  const { dom, page } = pageOf(leaf, facts);
  const { selector, checked, selected } = leaf;
  const comparison = comparisonOf(leaf);
  const expected = {
    selector,
    ...comparison,
    ...(checked !== undefined && { checked }),
    ...(selected !== undefined && { selected }),
    ...numberOf(leaf),
    ...page,
  };
  const control = lookUp(dom.domValue, selector);
  if (control === undefined) return unknown({ ...expected, observed: null }, missingDom(dom, selector, 'value'));
  if (control === null) return decided(false, { ...expected, observed: null });
  if (checked !== undefined) {
    return decided(control.checked === checked, { ...expected, observed: control.checked ?? null });
  }
  if (selected !== undefined) {
    return decided(isSelected(control, selected), { ...expected, observed: selectionOf(control) });
  }
  const { value } = control;
  const observed = value === null ? null : previewOf(value);
  if (value === null) return decided(false, { ...expected, observed });
  if (leaf.op !== undefined) return compareNumber(leaf, numberIn(value) ?? observed, expected);
  const holds = compareText(value, comparison, { steps, collapse: false });
  const details = { ...expected, observed };
  return holds === undefined ? unknown(details, notCompared(value, comparison)) : decided(holds, details);
};

export const dom_count: Rule<'dom_count'> = (leaf, facts) => {
  const { dom, page } = pageOf(leaf, facts);
  const { selector, op, value } = leaf;
  const expected = { selector, op, target: value, ...page };
  const observed = lookUp(dom.domCount, selector);
  if (observed === undefined) return unknown({ ...expected, observed: null }, missingDom(dom, selector, 'count'));
  return decided(compares(op, observed, value), { ...expected, observed });
};

export const script: Rule<'script'> = (leaf, facts, steps) => {
  const { dom, page } = pageOf(leaf, facts);
  const { expression, pattern } = leaf;
  const hasValue = 'equals' in leaf;
  const expected = {
    expression,
    ...(hasValue && { equals: leaf.equals }),
    ...(pattern !== undefined && { pattern }),
    ...numberOf(leaf),
    forgeable: true as const,
    ...page,
  };
  const observed = lookUp(dom.script, expression);
  if (observed === undefined) {
    const why = missing(dom, 'script', notRead(leaf, dom));
    return unknown({ ...expected, observed: null }, missing(dom, `script:${expression}`, why));
  }
  const details = { ...expected, observed };
  if (hasValue) return decided(canonicalize(observed) === canonicalize(leaf.equals), details);
  if (leaf.op !== undefined) return compareNumber(leaf, observed, expected);
  if (observed === null || typeof observed === 'object') return decided(false, details);
  const holds = compareText(String(observed), { pattern: pattern ?? '' }, { steps, collapse: false });
  return holds === undefined ? unknown(details, notCompared(String(observed), {})) : decided(holds, details);
};

/** A page that could not be opened says why under `dom`; on the agent's page, that is about its elements only. */
function notRead({ page_url }: { page_url?: string }, dom: PageFacts): string {
  const nothing = 'The value of this expression was not recorded.';
  return page_url === undefined ? nothing : missing(dom, 'dom', nothing);
}

/** The facts of the page that the leaf is about: the one that the agent worked on, or one that was opened at the end. */
function pageOf({ page_url }: { page_url?: string }, facts: Facts): { dom: PageFacts; page: { page_url?: string } } {
  if (page_url === undefined) return { dom: facts, page: {} };
  const why = missing(facts, 'pages', 'The page is opened once the attempt has ended.');
  return { dom: lookUp(facts.pages, page_url) ?? { unavailable: { dom: why } }, page: { page_url } };
}

const missingDom = (dom: PageFacts, selector: string, what: string): string =>
  missing(dom, `dom:${selector}`, missing(dom, 'dom', `The ${what} of this selector was not recorded.`));

const notCompared = (text: NonNullable<TextFact>, { contains, equals }: TextComparison): string => {
  if (contains !== undefined) return 'Only the beginning of the text was recorded, not whether it contains this.';
  if (equals !== undefined) return 'Only the beginning of the text was recorded, not whether it is this.';
  return `Its ${text.length} characters are more than this pattern may search.`;
};

const previewOf = (text: NonNullable<TextFact>): string =>
  (typeof text === 'string' ? text : text.preview).slice(0, TEXT_PREVIEW);

const numberOf = ({ op, value, tolerance }: Pick<LeafOf<'dom_value'>, 'op' | 'value' | 'tolerance'>) => ({
  ...(op !== undefined && { op }),
  ...(value !== undefined && { target: value }),
  ...(tolerance !== undefined && { tolerance }),
});

/** Something that is not a number does not compare with one, so the leaf fails. */
function compareNumber<D, O>(
  { op = 'eq', value = 0, tolerance }: Pick<LeafOf<'dom_value'>, 'op' | 'value' | 'tolerance'>,
  observed: O,
  expected: D,
) {
  const passed = typeof observed === 'number' && compares(op, observed, value, tolerance);
  return decided(passed, { ...expected, observed });
}

/** Undefined: it is not a number. A text of more characters than a preview is none. */
function numberIn(value: NonNullable<TextFact>): number | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.length > TEXT_PREVIEW) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function isSelected({ selected }: ControlFact, wanted: NonNullable<LeafOf<'dom_value'>['selected']>): boolean {
  if (typeof wanted === 'boolean') return selected === wanted;
  if (!Array.isArray(selected)) return false;
  const names = typeof wanted === 'string' ? [wanted] : wanted;
  const isNamed = (name: string): boolean => selected.some(({ label, value }) => label === name || value === name);
  return selected.length === names.length && names.every(isNamed);
}

function selectionOf({ selected }: ControlFact): boolean | string[] | null {
  return Array.isArray(selected) ? selected.map(({ label }) => label) : (selected ?? null);
}
