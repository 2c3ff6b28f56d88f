/** A list that is whole in the page, as a file. Lists that are longer than a page are exported by the server. */
import { type CsvValue, csvLine } from '../../../src/view/csv.ts';

export interface FileColumn<Row> {
  name: string;
  value: (row: Row) => CsvValue;
}

export type FileFormat = 'csv' | 'json';

/** As CSV that a spreadsheet takes for text, or as JSON with the same names. */
export function listFile<Row>(format: FileFormat, columns: readonly FileColumn<Row>[], rows: readonly Row[]): string {
  if (format === 'csv')
    return [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ value }) => value(row)))]
      .map(csvLine)
      .join('');
  const objects = rows.map((row) => Object.fromEntries(columns.map(({ name, value }) => [name, value(row)])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}
