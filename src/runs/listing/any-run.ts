/** A run of any kind as lists show it, wherever it is kept. */
import type { Variant } from '../../events/index.ts';
import type { schema } from '../../store/index.ts';

/** `stopped`: the process that wrote its folder was killed. */
export const ANY_RUN_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'stopped'] as const;
export const ANY_RUN_KINDS = ['model', 'capture', 'agent'] as const satisfies readonly Variant['kind'][];
export const ANY_RUN_SORTS = ['created', 'label', 'suite', 'variant', 'model', 'rate', 'items', 'cost'] as const;
export type AnyRunSort = (typeof ANY_RUN_SORTS)[number];

export interface AnyRun {
  id: string;
  place: 'database' | 'folder';
  /** Questions asked of a model, a captured chat page, or an agent's tasks in browsers. */
  kind: Variant['kind'];
  /** What people named it; empty where they did not. */
  label: string;
  /** The id is of a stored dataset. */
  suite: { id: string | null; name: string; hash: string };
  /** The id is of a stored provider. */
  variant: { id: string | null; name: string };
  model: string | null;
  experiment: string | null;
  tags: string[];
  state: (typeof ANY_RUN_STATES)[number];
  /** Null where attempts are graded as they end. */
  scoring: (typeof schema.GRADING_STATUSES)[number] | null;
  /** Why it needs attention; null where it does not. */
  problem: string | null;
  planned: number;
  /** Scored questions, or finished attempts; null where that is not known yet. */
  done: number | null;
  passed: number | null;
  /** What the rate is over: questions that were scored, or everything that an agent was to do. */
  counted: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
  createdAt: string;
  endedAt: string | null;
}

export interface AnyRunFilter {
  kind?: AnyRun['kind'] | undefined;
  state?: AnyRun['state'] | undefined;
  scoring?: NonNullable<AnyRun['scoring']> | undefined;
  /** The name, or the id of a stored dataset. */
  suite?: string | undefined;
  /** The name, or the id of a stored provider. */
  variant?: string | undefined;
  experiment?: string | undefined;
  tag?: string | undefined;
  /** Part of a name, in any case, or the beginning of the id. */
  search?: string | undefined;
  /** Only those that need attention. */
  attention?: boolean | undefined;
}

export interface AnyRunOrder {
  sort: AnyRunSort;
  order: 'asc' | 'desc';
}

/** A row with what it is sorted by. */
export interface SortedRun {
  run: AnyRun;
  value: SortValue;
}
/** Null comes last in either order. */
export type SortValue = string | number | null;

export interface Position {
  value: SortValue;
  id: string;
}

/** Rows with the same value are in the order of their ids. Texts are compared by their bytes, as the database does here. */
export function compareRows(a: Position, b: Position, order: AnyRunOrder['order']): number {
  if (a.value !== null && b.value !== null) {
    const found =
      typeof a.value === 'number' && typeof b.value === 'number'
        ? a.value - b.value
        : Buffer.compare(Buffer.from(String(a.value)), Buffer.from(String(b.value)));
    if (found !== 0) return order === 'asc' ? found : -found;
  } else if (a.value !== b.value) return a.value === null ? 1 : -1;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
