/** Filters, search and order of the list of runs, in the address. */
import type { RunFilter } from '../api/queries.ts';
import { given, oneOf, textOf } from '../ui/search.ts';

export const SURFACES = ['api', 'browser'] as const;
export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const SCORING_STATUSES = ['none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked'] as const;

/** What the server calls each order. Without one, the newest come first. */
export const RUN_ORDERS = {
  oldest: { name: 'Oldest first', sort: 'created', order: 'asc' },
  best: { name: 'Highest accuracy first', sort: 'accuracy', order: 'desc' },
  worst: { name: 'Lowest accuracy first', sort: 'accuracy', order: 'asc' },
  label: { name: 'By label', sort: 'label', order: 'asc' },
  dataset: { name: 'By dataset', sort: 'dataset', order: 'asc' },
  provider: { name: 'By provider', sort: 'provider', order: 'asc' },
  model: { name: 'By model', sort: 'model', order: 'asc' },
  items: { name: 'Largest first', sort: 'items', order: 'desc' },
  cost: { name: 'Highest cost first', sort: 'cost', order: 'desc' },
} as const;
const ORDERS = Object.keys(RUN_ORDERS) as (keyof typeof RUN_ORDERS)[];

export const runsSearch = (search: Record<string, unknown>) =>
  given({
    text: textOf(search['text']),
    dataset: textOf(search['dataset']),
    provider: textOf(search['provider']),
    tag: textOf(search['tag']),
    surface: oneOf(SURFACES, search['surface']),
    status: oneOf(RUN_STATUSES, search['status']),
    scoring: oneOf(SCORING_STATUSES, search['scoring']),
    sort: oneOf(ORDERS, search['sort']),
  });
export type RunsSearch = ReturnType<typeof runsSearch>;

/** The same for the server, which filters, searches and sorts. */
export function filterOf({ text, dataset, provider, scoring, sort, ...same }: RunsSearch): RunFilter {
  const order = sort && RUN_ORDERS[sort];
  return {
    ...same,
    search: text,
    dataset_id: dataset,
    provider_id: provider,
    scoring_status: scoring,
    sort: order?.sort,
    order: order?.order,
  };
}
