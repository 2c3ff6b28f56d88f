/** A list that is whole in the page, with what every list has: a search, an order, pages, a total, and the list as a file. */
import { type ReactNode, useMemo, useState } from 'react';
import { Button } from './button.tsx';
import { SelectField, TextField } from './field.tsx';
import { Filters } from './filters.tsx';
import { count } from './format.ts';
import { ListFoot } from './list-foot.tsx';
import { type Sort, searchRows } from './list-order.ts';
import { pageSize } from './page-size.ts';
import { Empty } from './states.tsx';

export interface LocalListProps<Row> {
  /** "dataset", "schedule": for the total and the labels. */
  one: string;
  rows: readonly Row[];
  textsOf: (row: Row) => readonly string[];
  /** The first one is what the list begins with. */
  sorts: readonly [Sort<Row>, ...Sort<Row>[]];
  /** Buttons that save the rows that were found, all pages of them. */
  files: (found: readonly Row[]) => ReactNode;
  /** Further filters, and how many of them are set. The rows come filtered by them. */
  filters?: ReactNode;
  filtersSet?: number;
  children: (shown: readonly Row[]) => ReactNode;
}

export function LocalList<Row>(props: LocalListProps<Row>) {
  const { one, rows, textsOf, sorts, files, filters, filtersSet = 0, children } = props;
  const [text, setText] = useState('');
  const [order, setOrder] = useState('');
  const [page, setPage] = useState(0);
  const [size] = useState(pageSize);
  const sort = sorts.find(({ value }) => value === order) ?? sorts[0];
  const found = useMemo(
    () => searchRows(rows, text, textsOf).toSorted(sort.compare),
    [rows, text, textsOf, sort.compare],
  );
  const pages = Math.max(1, Math.ceil(found.length / size));
  const at = Math.min(page, pages - 1);
  const search = (next: string) => {
    setText(next);
    setPage(0);
  };
  return (
    <>
      <Filters label={`Find ${one}s`} active={Number(text !== '') + Number(sort !== sorts[0]) + filtersSet}>
        <TextField label="Search" type="search" value={text} onChange={search} />
        {filters}
        <SelectField label="Order" value={sort.value} options={sorts} onChange={setOrder} />
      </Filters>
      {found.length === 0 && (
        <Empty title={`No ${one}s match.`}>
          {text !== '' && <Button onClick={() => search('')}>Clear the search</Button>}
        </Empty>
      )}
      {found.length > 0 && children(found.slice(at * size, (at + 1) * size))}
      {pages > 1 && (
        <div className="pager">
          <Button disabled={at === 0} onClick={() => setPage(at - 1)}>
            Previous
          </Button>
          <span className="muted number">
            {at * size + 1} to {Math.min((at + 1) * size, found.length)} of {found.length}
          </span>
          <Button disabled={at + 1 >= pages} onClick={() => setPage(at + 1)}>
            Next
          </Button>
        </div>
      )}
      <ListFoot
        total={found.length === rows.length ? count(rows.length, one) : `${found.length} of ${count(rows.length, one)}`}
      >
        {files(found)}
      </ListFoot>
    </>
  );
}
