/** What stands in the place of data: nothing yet, nothing at all, or a failure. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './problem.tsx';

/** Shown late (by CSS), so that what is quick does not flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <p className="loading" role="status">
      Loading {what} …
    </p>
  );
}

/** No data, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children && <div>{children}</div>}
    </div>
  );
}

export interface QueryStateProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  what: string;
  children: (data: T) => ReactNode;
}

/** Loading, failure with a retry, or the data. Data that is there stays while it is looked at again. */
export function QueryState<T>({ query, what, children }: QueryStateProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Loading what={what} /> : children(data)}
    </>
  );
}
