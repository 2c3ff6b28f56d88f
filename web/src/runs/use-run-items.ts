import { type RunItem, runItemsQuery } from '../api/queries.ts';
import { type AllPages, useAllPages } from '../api/use-all-pages.ts';

export type RunItems = AllPages<RunItem>;

export function useRunItems(runId: string): RunItems {
  return useAllPages(runItemsQuery(runId));
}
