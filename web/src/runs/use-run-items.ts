/** All items of a run, page by page, because filters and charts need all of them. For a very long run, loading stops after some pages until the user continues it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type RunItem, runItemsQuery } from '../api/queries.ts';

const BY_ITSELF = 3_000;

export interface RunItems {
  items: readonly RunItem[] | undefined;
  error: Error | null;
  /** More are there than were loaded by themselves. */
  loadMore: (() => void) | undefined;
  retry: () => void;
}

export function useRunItems(runId: string): RunItems {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(runItemsQuery(runId));
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  const loaded = items?.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && loaded < BY_ITSELF) void fetchNextPage();
  }, [hasNextPage, isFetching, loaded, fetchNextPage]);
  return {
    items,
    error,
    loadMore: hasNextPage && loaded >= BY_ITSELF ? () => void fetchNextPage() : undefined,
    retry: () => void refetch(),
  };
}
