/** The runs of agents in browsers that are in folders. Nothing is shown where the server shows no folder, or there is no run. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Badge } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { dateTime } from '../ui/format.ts';
import { foldersQuery, type ListedFolder } from './folder-queries.ts';

/** More are shown when they are asked for. */
const SHOWN = 10;

const TONES = { running: 'live', ended: 'neutral', stopped: 'warning' } as const;

export function FolderRunsPanel() {
  const { data } = useQuery(foldersQuery());
  const runs = data?.runs.filter(({ kind }) => kind === 'tasks') ?? [];
  if (runs.length === 0) return null;
  return (
    <section className="panel" aria-label="Runs of agents in browsers">
      <div className="panel-head">
        <h2>Agents in browsers</h2>
        <span className="muted">{runs.length}</span>
      </div>
      <FolderTable runs={runs.slice(0, SHOWN)} />
      {runs.length > SHOWN && (
        <details>
          <summary>{runs.length - SHOWN} more</summary>
          <FolderTable runs={runs.slice(SHOWN)} />
        </details>
      )}
    </section>
  );
}

function FolderTable({ runs }: { runs: readonly ListedFolder[] }) {
  return <DataTable caption="Runs of agents in browsers" columns={COLUMNS} rows={runs} rowKey={({ id }) => id} />;
}

const COLUMNS: readonly Column<ListedFolder>[] = [
  {
    name: 'Run',
    isHeader: true,
    cell: ({ id, suite, variant, experiment }) => (
      <>
        <Link to="/folders/$id" params={{ id }}>
          {suite === '' ? id : suite}
        </Link>
        <div className="run-sub">
          {variant}
          {experiment !== null && ` · ${experiment}`}
        </div>
      </>
    ),
  },
  { name: 'State', cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
  {
    name: 'Passed',
    align: 'end',
    cell: ({ passed, planned }) => (passed === null ? `– of ${planned}` : `${passed} of ${planned}`),
  },
  { name: 'Made', cell: ({ startedAt }) => <time dateTime={startedAt}>{dateTime(startedAt)}</time> },
];
