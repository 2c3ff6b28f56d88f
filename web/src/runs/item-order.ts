/** In which order the items of a run are shown. Failures come first, because they are what people look for. */
import type { RunItem } from '../api/queries.ts';
import { verdictOf } from './item-filter.ts';
import type { RunSearch } from './run-search.ts';

/** A wrong answer before what could not be graded, and that before what passed. */
const FAILURES_FIRST = ['fail', 'error', 'missing', 'unscored', 'pending', 'skipped', 'pass'];

export function orderItems(items: readonly RunItem[], sort: RunSearch['sort']): RunItem[] {
  if (sort === 'order') return items.toSorted((a, b) => a.seq - b.seq);
  if (sort === 'slowest')
    return items.toSorted((a, b) => (b.timing.latency_ms ?? -1) - (a.timing.latency_ms ?? -1) || a.seq - b.seq);
  return items.toSorted((a, b) => rankOf(a) - rankOf(b) || a.seq - b.seq);
}

function rankOf(item: Pick<RunItem, 'status' | 'scores'>): number {
  return FAILURES_FIRST.indexOf(item.status === 'answered' ? verdictOf(item) : item.status);
}
