/** A table that becomes a list of cards on narrow screens. Roles are explicit, because a row with `display: block` would lose its own. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  name: string;
  /** In the place of the name at the top of a wide table. */
  head?: ReactNode;
  cell: (row: Row) => ReactNode;
  align?: 'end';
  /** The cell that names its row. One of them, usually the first. */
  isHeader?: boolean;
  /** For a column of buttons or boxes: its name is for screen readers only. */
  quiet?: boolean;
}

export interface DataTableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
}

export function DataTable<Row>({ caption, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <table className="table" role="table">
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, head, align, quiet }) => (
            <th key={name} role="columnheader" scope="col" className={align && 'end'}>
              <span className={quiet ? 'visually-hidden' : undefined}>{head ?? name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ name, cell, align, isHeader, quiet }) => {
              const Cell = isHeader ? 'th' : 'td';
              return (
                <Cell
                  key={name}
                  role={isHeader ? 'rowheader' : 'cell'}
                  scope={isHeader ? 'row' : undefined}
                  className={[align, quiet && 'quiet'].filter(Boolean).join(' ') || undefined}
                  data-label={quiet || isHeader ? undefined : name}
                >
                  <div className="cell">{cell(row)}</div>
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
