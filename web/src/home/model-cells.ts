/** The table of models and datasets as a list, one line per cell. */
import type { Overview, Run } from '../api/queries.ts';
import type { FileColumn } from '../ui/list-file.ts';

type Table = Overview['table'];
type Model = Pick<Table['models'][number], 'provider' | 'model'>;
type Cell = Table['rows'][number]['cells'][number];

export interface ModelCell {
  dataset: string;
  model: Model;
  cell: Cell;
}

/** In every view of captures, as the runs themselves say it. */
export const SELF_REPORTED: NonNullable<Run['capture_label']> = 'self-reported capture';

/** "GPT-5 · ChatGPT Web": two providers may have a model of the same name. */
export function modelTitle({ provider, model }: Model): string {
  return [model ?? [], provider.name, provider.surface === 'browser' ? SELF_REPORTED : []].flat().join(' · ');
}

export function cellsOf({ models, rows }: Table): ModelCell[] {
  const byKey = new Map(models.map((model) => [model.key, model]));
  return rows.flatMap(({ dataset, cells }) =>
    cells.flatMap((cell) => {
      const model = byKey.get(cell.model_key);
      return model ? [{ dataset: dataset.name, model, cell }] : [];
    }),
  );
}

export const cellColumns: readonly FileColumn<ModelCell>[] = [
  { name: 'dataset', value: ({ dataset }) => dataset },
  { name: 'provider', value: ({ model }) => model.provider.name },
  { name: 'model', value: ({ model }) => model.model },
  { name: 'surface', value: ({ model }) => model.provider.surface },
  { name: 'accuracy', value: ({ cell }) => cell.accuracy },
  { name: 'interval_low', value: ({ cell }) => cell.interval.low },
  { name: 'interval_high', value: ({ cell }) => cell.interval.high },
  { name: 'passed', value: ({ cell }) => cell.passed },
  { name: 'scored', value: ({ cell }) => cell.scored },
  { name: 'items', value: ({ cell }) => cell.total },
  { name: 'runs', value: ({ cell }) => cell.runs },
  { name: 'run_id', value: ({ cell }) => cell.run_id },
  { name: 'created_at', value: ({ cell }) => cell.created_at },
];
