/** Which items go into a pack, and why the others of the scope don't. */
import { type Dataset, sectionsOf } from '../datasets/dataset.ts';
import type { Item } from '../datasets/item.ts';
import { MAX_PACK_ITEMS } from '../limits.ts';
import { HarnessProblem, type ProblemIssue, someOf } from '../problem.ts';
import type { PackRequest } from './pack-request.ts';

export interface Excluded {
  readonly id: string;
  readonly reason: 'variation' | 'not_text';
}

export interface Selection {
  readonly items: readonly Item[];
  readonly excluded: readonly Excluded[];
  /** Items that would fit but for `max_items`. */
  readonly beyondMax: number;
}

export function selectItems(dataset: Dataset, request: PackRequest): Selection {
  checkScope(dataset, request);
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
    throw new HarnessProblem('pack_empty', `The pack would be empty: ${why}.`, excluded.map(excludedIssue));
  }
  if (items.length > MAX_PACK_ITEMS) {
    throw new HarnessProblem(
      'scope_unsupported',
      `The pack would hold ${items.length} items; ${MAX_PACK_ITEMS} are allowed.`,
      [
        {
          path: 'max_items',
          code: 'too_many',
          message: `Set max_items to ${MAX_PACK_ITEMS} or less, or choose sections.`,
        },
      ],
    );
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

function checkScope(dataset: Dataset, request: PackRequest): void {
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
    throw new HarnessProblem('scope_unsupported', `This scope can't be packed: ${issues[0]?.message ?? ''}`, issues);
  }
}
