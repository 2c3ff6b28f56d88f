/** Which items go into a pack or a run, and why the others of the scope don't. */

import { MAX_LINES } from '../../archives/index.ts';
import type { Item } from '../../cases/index.ts';
import { type Dataset, MAX_PACK_ITEMS, sectionsOf } from '../../cases/index.ts';
import { type ProblemIssue, someOf, WaymarkError } from '../../errors/index.ts';

export interface Excluded {
  readonly id: string;
  readonly reason: 'variation' | 'not_text';
}

/** The part of a dataset that is asked for. */
export interface Scope {
  readonly sections?: readonly string[] | undefined;
  readonly item_ids?: readonly string[] | undefined;
  readonly max_items?: number | undefined;
  readonly variation?: { readonly enabled: boolean } | undefined;
}

/** What the items are for, and what that calls things. */
export interface Purpose {
  readonly what: 'pack' | 'run';
  readonly done: 'captured' | 'asked';
  readonly empty: 'pack_empty' | 'run_empty';
  readonly maxItems: number;
}
export const FOR_PACK: Purpose = { what: 'pack', done: 'captured', empty: 'pack_empty', maxItems: MAX_PACK_ITEMS };
/** A run may take a whole dataset: no token has to carry it. */
export const FOR_RUN: Purpose = { what: 'run', done: 'asked', empty: 'run_empty', maxItems: MAX_LINES };

export interface Selection {
  readonly items: readonly Item[];
  readonly excluded: readonly Excluded[];
  /** Items that would fit but for `max_items`. */
  readonly beyondMax: number;
}

export function selectItems(dataset: Dataset, request: Scope, purpose: Purpose): Selection {
  const { what, empty, maxItems } = purpose;
  checkScope(dataset, request, what);
  const sections = request.sections && new Set(request.sections);
  const ids = request.item_ids && new Set(request.item_ids);
  const scope = dataset.items.filter(({ id, section }) => (sections?.has(section) ?? true) && (ids?.has(id) ?? true));
  const excluded: Excluded[] = [];
  const fit: Item[] = [];
  for (const item of scope) {
    const reason = reasonToExclude(item);
    if (reason) excluded.push({ id: item.id, reason });
    else fit.push(item);
  }
  const items = fit.slice(0, request.max_items ?? fit.length);
  if (items.length === 0) {
    const why = scope.length === 0 ? 'no item is in this scope' : `none of its ${scope.length} items can be used`;
    throw new WaymarkError({
      code: empty,
      message: `The ${what} would be empty: ${why}.`,
      issues: excluded.map(excludedIssue),
    });
  }
  if (items.length > maxItems) {
    throw new WaymarkError({
      code: 'scope_unsupported',
      message: `The ${what} would hold ${items.length} items; ${maxItems} are allowed.`,
      issues: [
        {
          path: 'max_items',
          code: 'too_many',
          message: `Set max_items to ${maxItems} or less, or choose sections.`,
        },
      ],
    });
  }
  return { items, excluded, beyondMax: fit.length - items.length };
}

function reasonToExclude({ meta }: Item): Excluded['reason'] | undefined {
  // Text only and primary items only, on purpose: see what datasets write about themselves in `meta`.
  if (has(meta.variation_of)) return 'variation';
  if (has(meta.attachments) || has(meta.images) || has(meta.assets)) return 'not_text';
  return undefined;
}

function has(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== '';
}

function excludedIssue({ id, reason }: Excluded): ProblemIssue {
  return { path: 'items', code: reason, message: `${id} is left out: ${reason}.`, item_id: id };
}

function checkScope(dataset: Dataset, request: Scope, what: Purpose['what']): void {
  const issues: ProblemIssue[] = [];
  if (request.variation?.enabled) {
    issues.push({ path: 'variation', code: 'variation', message: 'Packs hold primary items only.' });
  }
  const sections = new Set(sectionsOf(dataset.items));
  request.sections?.forEach((section, index) => {
    if (!sections.has(section)) {
      const message = `The dataset has no section ${JSON.stringify(section)}; it has ${someOf([...sections])}.`;
      issues.push({ path: `sections[${index}]`, code: 'unknown_section', message });
    }
  });
  const ids = new Set(dataset.items.map(({ id }) => id));
  request.item_ids?.forEach((id, index) => {
    if (!ids.has(id)) {
      issues.push({
        path: `item_ids[${index}]`,
        code: 'unknown_item',
        message: `The dataset has no item ${id}.`,
        item_id: id,
      });
    }
  });
  if (issues.length > 0) {
    throw new WaymarkError({
      code: 'scope_unsupported',
      message: `This scope can't be ${what === 'pack' ? 'packed' : 'asked'}: ${issues[0]?.message ?? ''}`,
      issues,
    });
  }
}
