/** A table of texts that the server made, as the command line prints it. */
import type { EpisodeComparison } from '../api/queries.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';

type Table = EpisodeComparison['tables'][number];
type Row = Table['rows'][number];

export function TextTable({ table: { title, columns, rows, note } }: { table: Table }) {
  const shown = columns.map(
    (name, index): Column<Row> => ({
      // Two runs may have one name.
      name: columns.indexOf(name) === index ? name : `${name} (${index})`,
      head: name,
      isHeader: index === 0,
      cell: (row) => row[index] ?? '',
    }),
  );
  return (
    <section className="panel" aria-label={`Table: ${title}`}>
      <h2 className="text-table-title">{title}</h2>
      {note !== undefined && <p className="muted">{note}</p>}
      <ScrollBox label={title}>
        <DataTable caption={title} columns={shown} rows={rows} rowKey={(row) => JSON.stringify(row)} />
      </ScrollBox>
    </section>
  );
}
