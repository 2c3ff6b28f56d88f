/** All items of a run or of a dataset, page by page, because filters and charts need all of them. For a very long list, loading stops after some pages until the user continues it. */
import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';

const BY_ITSELF = 3_000;

export interface AllPages<Item> {
  items: readonly Item[] | undefined;
  error: Error | null;
  /** More are there than were loaded by themselves. */
  loadMore: (() => void) | undefined;
  retry: () => void;
}

interface PageOf<Item> {
  items: Item[];
}

export function useAllPages<Item, Key extends QueryKey>(
  query: UseInfiniteQueryOptions<PageOf<Item>, Error, InfiniteData<PageOf<Item>>, Key, number>,
): AllPages<Item> {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteQuery(query);
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
