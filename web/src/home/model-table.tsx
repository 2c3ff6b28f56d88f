/** Each model on each dataset: the accuracy of its newest scored run, with its interval. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/queries.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { count, percent } from '../ui/format.ts';
import { ListFoot, SaveButtons } from '../ui/list-foot.tsx';
import { ScrollBox } from '../ui/scroll-box.tsx';
import { Empty } from '../ui/states.tsx';
import { cellColumns, cellsOf, modelTitle, SELF_REPORTED } from './model-cells.ts';

type Table = Overview['table'];
type Row = Table['rows'][number];
type Cell = Row['cells'][number];

export function ModelTable({ table }: { table: Table }) {
  const columns: readonly Column<Row>[] = [
    {
      name: 'Dataset',
      isHeader: true,
      cell: ({ dataset }) => (
        <Link to="/datasets/$id" params={{ id: dataset.id }}>
          {dataset.name}
        </Link>
      ),
    },
    ...table.models.map((model) => ({
      name: modelTitle(model),
      head: <ModelHead model={model} />,
      cell: ({ cells }: Row) => <Value cell={cells.find(({ model_key }) => model_key === model.key)} />,
    })),
  ];
  return (
    <section className="panel" aria-labelledby="models">
      <div className="panel-head">
        <h2 id="models">Models on datasets</h2>
        <span className="muted">Accuracy of the newest scored run, with its 95 % interval</span>
      </div>
      {table.rows.length === 0 ? (
        <Empty title="No run is scored yet." />
      ) : (
        <>
          <ScrollBox label="Models on datasets">
            <DataTable
              caption="Models on datasets"
              columns={columns}
              rows={table.rows}
              rowKey={({ dataset }) => dataset.id}
            />
          </ScrollBox>
          <ListFoot total={`${count(table.rows.length, 'dataset')}, ${count(table.models.length, 'model')}`}>
            <SaveButtons name="models-on-datasets" columns={cellColumns} rows={cellsOf(table)} />
          </ListFoot>
        </>
      )}
    </section>
  );
}

function ModelHead({ model: { provider, model } }: { model: Table['models'][number] }) {
  return (
    <span className="model-head">
      {model ?? provider.name}
      {model !== null && <span>{provider.name}</span>}
      {provider.surface === 'browser' && <span>{SELF_REPORTED}</span>}
    </span>
  );
}

function Value({ cell }: { cell: Cell | undefined }) {
  if (!cell) return <span className="muted model-none">–</span>;
  const { run_id, accuracy, interval, coverage, is_current } = cell;
  const notes = [
    coverage !== null && coverage < 1 ? `${percent(coverage, 0)} scored` : [],
    is_current ? [] : 'earlier version',
  ].flat();
  return (
    <div className="model-cell number">
      <Link to="/runs/$id" params={{ id: run_id }}>
        {percent(accuracy)}
      </Link>
      <div className="muted">
        {percent(interval.low, 0)} to {percent(interval.high, 0)}
      </div>
      {notes.length > 0 && <div className="muted">{notes.join(', ')}</div>}
    </div>
  );
}
