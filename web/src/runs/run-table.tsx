import type { AnyRun } from '../api/queries.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime, percent } from '../ui/format.ts';
import { anyRunDetails, anyRunName } from './any-run-name.ts';
import { Coverage, RunLabels, RunLink, RunState } from './any-run-parts.tsx';
import { pickRun } from './pick-run.ts';

export interface RunTableProps {
  runs: readonly AnyRun[];
  picked: readonly AnyRun[];
  onPick: (picked: readonly AnyRun[]) => void;
}

export function RunTable({ runs, picked, onPick }: RunTableProps) {
  const isPicked = (run: AnyRun) => picked.some(({ id }) => id === run.id);
  const columns: readonly Column<AnyRun>[] = [
    {
      name: 'Compare',
      quiet: true,
      cell: (run) => (
        <input
          type="checkbox"
          aria-label={`Compare ${anyRunName(run)}, ${dateTime(run.createdAt)}`}
          checked={isPicked(run)}
          onChange={() => onPick(pickRun(picked, run))}
        />
      ),
    },
    {
      name: 'Run',
      isHeader: true,
      cell: (run) => (
        <>
          <RunLink run={run} />
          <div className="run-sub">
            {anyRunDetails(run)} <RunLabels run={run} />
          </div>
        </>
      ),
    },
    { name: 'State', cell: (run) => <RunState run={run} /> },
    { name: 'Accuracy', align: 'end', cell: ({ rate }) => <strong>{percent(rate)}</strong> },
    { name: 'Coverage', align: 'end', cell: (run) => <Coverage run={run} /> },
    { name: 'Made', cell: ({ createdAt }) => <time dateTime={createdAt}>{dateTime(createdAt)}</time> },
  ];
  return <DataTable caption="Runs" columns={columns} rows={runs} rowKey={({ id }) => id} />;
}
