/** Filters, search and order of the list of runs, in the address. */
import type { AnyRunFilter } from '../api/queries.ts';
import { given, oneOf, textOf } from '../ui/search.ts';

export const RUN_KINDS = ['model', 'capture', 'agent'] as const;
export const RUN_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'stopped'] as const;
export const SCORING_STATUSES = ['none', 'queued', 'running', 'done', 'partial', 'failed', 'blocked'] as const;

/** What the server calls each order. Without one, the newest come first. */
export const RUN_ORDERS = {
  oldest: { name: 'Oldest first', sort: 'created', order: 'asc' },
  best: { name: 'Highest accuracy first', sort: 'rate', order: 'desc' },
  worst: { name: 'Lowest accuracy first', sort: 'rate', order: 'asc' },
  label: { name: 'By label', sort: 'label', order: 'asc' },
  suite: { name: 'By suite or dataset', sort: 'suite', order: 'asc' },
  variant: { name: 'By agent or provider', sort: 'variant', order: 'asc' },
  model: { name: 'By model', sort: 'model', order: 'asc' },
  items: { name: 'Largest first', sort: 'items', order: 'desc' },
  cost: { name: 'Highest cost first', sort: 'cost', order: 'desc' },
} as const;
const ORDERS = Object.keys(RUN_ORDERS) as (keyof typeof RUN_ORDERS)[];

/** Links of earlier versions name a dataset, a provider, a surface and a status. */
export const runsSearch = (search: Record<string, unknown>) =>
  given({
    text: textOf(search['text']),
    kind: oneOf(RUN_KINDS, search['kind'] ?? KIND_OF_SURFACE.get(search['surface'])),
    suite: textOf(search['suite'] ?? search['dataset']),
    variant: textOf(search['variant'] ?? search['provider']),
    experiment: textOf(search['experiment']),
    tag: textOf(search['tag']),
    state: oneOf(RUN_STATES, search['state'] ?? search['status']),
    scoring: oneOf(SCORING_STATUSES, search['scoring']),
    sort: oneOf(ORDERS, search['sort']),
  });
export type RunsSearch = ReturnType<typeof runsSearch>;

const KIND_OF_SURFACE: ReadonlyMap<unknown, string> = new Map([
  ['api', 'model'],
  ['browser', 'capture'],
]);

/** The same for the server, which filters, searches and sorts. */
export function filterOf({ text, sort, ...same }: RunsSearch): AnyRunFilter {
  const order = sort && RUN_ORDERS[sort];
  return { ...same, search: text, sort: order?.sort, order: order?.order };
}
