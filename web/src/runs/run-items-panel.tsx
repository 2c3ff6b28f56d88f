/** The items of a run: filters in the address, a page of them at a time, each opens to all that is known of it. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { urlOf } from '../../../src/server/client.ts';
import type { RunDetail } from '../api/queries.ts';
import { Button, FileLink } from '../ui/button.tsx';
import { type Option, SelectField, TextField } from '../ui/field.tsx';
import { Filters } from '../ui/filters.tsx';
import { count } from '../ui/format.ts';
import { ListFoot } from '../ui/list-foot.tsx';
import { pageSize } from '../ui/page-size.ts';
import { Failure } from '../ui/problem.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { filterItems } from './item-filter.ts';
import { focusItem, onItemKey } from './item-keys.ts';
import { orderItems } from './item-order.ts';
import { RunItemRow } from './run-item-row.tsx';
import { type ITEM_SORTS, ITEM_STATUSES, type RunSearch, VERDICTS } from './run-search.ts';
import type { RunItems } from './use-run-items.ts';

const SORTS: readonly Option<(typeof ITEM_SORTS)[number] | ''>[] = [
  { value: '', name: 'Failures first' },
  { value: 'order', name: 'As in the dataset' },
  { value: 'slowest', name: 'Slowest first' },
];

export function RunItemsPanel({ run, all }: { run: RunDetail; all: RunItems }) {
  const search = useSearch({ from: '/runs/$id' });
  const navigate = useNavigate({ from: '/runs/$id' });
  const [page, setPage] = useState(0);
  const [size] = useState(pageSize);
  const { items, error, retry, loadMore } = all;
  const shown = useMemo(() => orderItems(filterItems(items ?? [], search), search.sort), [items, search]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter begins with its first page
  useEffect(() => setPage(0), [search]);
  const list = useRef<HTMLOListElement>(null);
  /** Which item of the next page gets the focus, where a key went over the edge of this one. */
  const arriving = useRef<0 | -1 | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: after the page has changed
  useEffect(() => {
    const item =
      arriving.current !== undefined && [...(list.current?.querySelectorAll('details') ?? [])].at(arriving.current);
    if (item) focusItem(item);
    arriving.current = undefined;
  }, [page]);
  const change = (part: RunSearch) =>
    void navigate({ search: (old) => ({ ...old, ...part }), replace: true, resetScroll: false, hash: '' });
  const pages = Math.max(1, Math.ceil(shown.length / size));
  const first = Math.min(page, pages - 1) * size;
  const turnPage = (step: 1 | -1) => {
    if (page + step < 0 || page + step >= pages) return;
    arriving.current = step === 1 ? 0 : -1;
    setPage(page + step);
  };
  return (
    <section className="panel" aria-labelledby="items">
      <div className="panel-head">
        <h2 id="items">Items</h2>
      </div>
      <Filters label="Filter the items" active={Object.keys(search).length}>
        <SelectField
          label="Status"
          value={search.status ?? ''}
          options={optionsOf('Any status', ITEM_STATUSES)}
          onChange={(value) => change({ status: value || undefined })}
        />
        <SelectField
          label="Verdict"
          value={search.verdict ?? ''}
          options={optionsOf('Any verdict', VERDICTS)}
          onChange={(value) => change({ verdict: value || undefined })}
        />
        <SelectField
          label="Section"
          value={search.section ?? ''}
          options={optionsOf(
            'All sections',
            run.summary.sections.map(({ section }) => section),
          )}
          onChange={(value) => change({ section: value || undefined })}
        />
        <SelectField
          label="Order"
          value={search.sort ?? ''}
          options={SORTS}
          onChange={(value) => change({ sort: value || undefined })}
        />
        <TextField
          label="Text"
          type="search"
          placeholder="Id, prompt or response"
          value={search.text ?? ''}
          onChange={(value) => change({ text: value || undefined })}
        />
      </Filters>
      {error && <Failure error={error} onRetry={retry} />}
      {!items && !error && <Loading what="items" />}
      {items && shown.length === 0 && (
        <Empty title={items.length === 0 ? 'The run has no items.' : 'No items match these filters.'}>
          {items.length > 0 && (
            <Button onClick={() => void navigate({ search: {}, replace: true, resetScroll: false })}>
              Show all items
            </Button>
          )}
        </Empty>
      )}
      {shown.length > 1 && (
        <p className="muted item-keys">
          <kbd>↓</kbd> and <kbd>↑</kbd> go through the items, <kbd>Enter</kbd> opens one.
        </p>
      )}
      {shown.length > 0 && (
        <ol ref={list} className="items" onKeyDown={(event) => onItemKey(event, turnPage)}>
          {shown.slice(first, first + size).map((item) => (
            <li key={item.id}>
              <RunItemRow run={run} item={item} />
            </li>
          ))}
        </ol>
      )}
      {pages > 1 && (
        <div className="pager">
          <Button disabled={first === 0} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <span className="muted number">
            {first + 1} to {Math.min(first + size, shown.length)} of {shown.length}
          </span>
          <Button disabled={first + size >= shown.length} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
      {items && (
        <ListFoot
          total={
            shown.length === items.length
              ? count(items.length, 'item')
              : `${shown.length} of ${count(items.length, 'item')}`
          }
        >
          <FileLink small href={urlOf('/runs/{id}/export', { id: run.id }, { format: 'csv' })}>
            Export CSV
          </FileLink>
          <FileLink small href={urlOf('/runs/{id}/export', { id: run.id }, { format: 'json' })}>
            Export JSON
          </FileLink>
        </ListFoot>
      )}
      {loadMore && (
        <p>
          Only the first {items?.length} items are loaded. <Button onClick={loadMore}>Load more</Button>
        </p>
      )}
    </section>
  );
}

function optionsOf<V extends string>(all: string, values: readonly V[]): { value: V | ''; name: string }[] {
  return [{ value: '', name: all }, ...values.map((value) => ({ value, name: value }))];
}
