import { Link } from '@tanstack/react-router';
import type { Run } from '../api/queries.ts';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime, percent } from '../ui/format.ts';
import { CaptureLabel, RunTags, ScoringBadge, StatusBadge } from './run-badges.tsx';
import { runDetails, runName } from './run-name.ts';

export interface RunTableProps {
  runs: readonly Run[];
  picked: readonly Run[];
  onPick: (picked: readonly Run[]) => void;
}

/** Two are compared: a third takes the place of the first. */
const MOST = 2;

export function RunTable({ runs, picked, onPick }: RunTableProps) {
  const isPicked = (run: Run) => picked.some(({ id }) => id === run.id);
  const columns: readonly Column<Run>[] = [
    {
      name: 'Compare',
      quiet: true,
      cell: (run) => (
        <input
          type="checkbox"
          aria-label={`Compare ${runName(run)}, ${dateTime(run.created_at)}`}
          checked={isPicked(run)}
          onChange={() =>
            onPick(isPicked(run) ? picked.filter(({ id }) => id !== run.id) : [...picked, run].slice(-MOST))
          }
        />
      ),
    },
    {
      name: 'Run',
      isHeader: true,
      cell: (run) => (
        <>
          <Link to="/runs/$id" params={{ id: run.id }}>
            {runName(run)}
          </Link>
          <div className="run-sub">
            {runDetails(run)} <CaptureLabel run={run} />
            <RunTags tags={run.tags} />
          </div>
        </>
      ),
    },
    {
      name: 'State',
      cell: (run) => (
        <span className="badges">
          {run.status !== 'completed' && <StatusBadge status={run.status} />}
          {(run.status === 'completed' || run.scoring_status !== 'none') && (
            <ScoringBadge status={run.scoring_status} />
          )}
        </span>
      ),
    },
    { name: 'Accuracy', align: 'end', cell: ({ accuracy }) => <strong>{percent(accuracy)}</strong> },
    { name: 'Coverage', align: 'end', cell: coverageOf },
    { name: 'Made', cell: ({ created_at }) => <time dateTime={created_at}>{dateTime(created_at)}</time> },
  ];
  return <DataTable caption="Runs" columns={columns} rows={runs} rowKey={({ id }) => id} />;
}

function coverageOf({ coverage, counts, item_count }: Run) {
  return (
    <>
      {percent(coverage)}{' '}
      <span className="muted">
        {counts['scored'] ?? 0}/{item_count}
      </span>
    </>
  );
}
