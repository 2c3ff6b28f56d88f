/**
 * Decides whether a capture is another part of one that was imported before. Every result says when it began, so the same result is known again,
 * whatever the file around it says about its label or the time of its download.
 */
import { createHash } from 'node:crypto';
import type { ImportPlan } from '../archive/check-capture.ts';
import type { PlannedItem } from '../archive/plan-item.ts';

/** What a run has of an item. */
export interface ImportedCell {
  readonly id: string;
  /** Null where the item is missing. */
  readonly result: 'answered' | 'error' | null;
  /** The number of the last attempt. */
  readonly attempts: number;
  /** Of the attempt that counts: its start in milliseconds since 1970, and a hash of its text. */
  readonly startedAt: number | null;
  readonly textHash: string | null;
}

/**
 * What the capture adds to the run: results of missing items, and answers to items that came to an error. Empty when it has nothing new.
 * @returns undefined when it is another capture: it answers an item otherwise, or has nothing to do with the run.
 */
export function laterPart(
  items: readonly PlannedItem[],
  cells: ReadonlyMap<string, ImportedCell>,
): PlannedItem[] | undefined {
  const added: PlannedItem[] = [];
  let isKnown = false;
  for (const item of items) {
    const cell = cells.get(item.id);
    if (!cell) return undefined;
    if (item.status === 'missing') continue;
    if (isSame(item, cell)) {
      isKnown = true;
      continue;
    }
    const isAnswer = item.status === 'answered';
    if (isAnswer && cell.result === 'answered') return undefined;
    if (cell.result === null || (isAnswer && cell.result === 'error')) added.push(item);
  }
  return isKnown || added.some(({ status }) => status === 'answered') ? added : undefined;
}

function isSame({ status, timing, response }: PlannedItem, cell: ImportedCell): boolean {
  return (
    status === cell.result &&
    timing !== null &&
    Date.parse(timing.started_at) === cell.startedAt &&
    textHash(response ?? '') === cell.textHash
  );
}

/** MD5, because the database computes the same from the stored text; it only tells two texts of one item apart. */
export function textHash(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** The plan for the whole run once the part has been added: its items, as far as counts and warnings need them. */
export function wholePlan(
  plan: ImportPlan,
  added: readonly PlannedItem[],
  run: { readonly cells: ReadonlyMap<string, ImportedCell>; readonly modelLabels: readonly string[] },
): ImportPlan {
  const isAdded = new Set(added.map(({ id }) => id));
  const items = plan.items.map((item) => {
    if (isAdded.has(item.id)) return item;
    const status = run.cells.get(item.id)?.result ?? ('missing' as const);
    return { ...item, status, timing: null, model_label: null, flag: null, repaired: false };
  });
  const count = (status: PlannedItem['status']): number => items.filter((item) => item.status === status).length;
  const named = added.flatMap(({ model_label }) => (model_label === null ? [] : [model_label]));
  return {
    ...plan,
    items,
    model_labels: [...new Set([...run.modelLabels, ...named])],
    counts: { ...plan.counts, answered: count('answered'), errored: count('error'), missing: count('missing') },
  };
}
