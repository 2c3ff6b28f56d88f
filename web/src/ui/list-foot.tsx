/** How many rows a list has, and the list as a file. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { type FileColumn, type FileFormat, listFile } from './list-file.ts';
import { saveFile } from './save-file.ts';

export function ListFoot({ total, children }: { total: string; children: ReactNode }) {
  return (
    <div className="list-foot">
      <span className="muted number" role="status">
        {total}
      </span>
      <div className="actions">{children}</div>
    </div>
  );
}

interface SaveButtonsProps<Row> {
  /** Of the file, without its ending. */
  name: string;
  columns: readonly FileColumn<Row>[];
  rows: readonly Row[];
}

export function SaveButtons<Row>({ name, columns, rows }: SaveButtonsProps<Row>) {
  const save = (format: FileFormat) =>
    saveFile(
      `${name}.${format}`,
      listFile(format, columns, rows),
      format === 'csv' ? 'text/csv;charset=utf-8' : 'application/json',
    );
  return (
    <>
      <Button small onClick={() => save('csv')}>
        Export CSV
      </Button>
      <Button small onClick={() => save('json')}>
        Export JSON
      </Button>
    </>
  );
}
