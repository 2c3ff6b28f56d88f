/** The workers that share this server's database: what they are, and what they do now. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer } from '../../../src/server/client.ts';
import { call } from '../api/client.ts';
import { Page } from '../shell/page.tsx';
import { Badge } from '../ui/badge.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { count, dateTime } from '../ui/format.ts';
import { Empty, QueryState } from '../ui/states.tsx';
import './workers.css';

type Worker = Answer<'get', '/workers'>['workers'][number];

/** Heartbeats are seconds apart. */
const LOOK_MS = 3_000;

const workersQuery = () =>
  queryOptions({
    queryKey: ['workers'],
    queryFn: ({ signal }) => call('get', '/workers', { signal }),
    refetchInterval: LOOK_MS,
  });

export default function WorkersPage() {
  const query = useQuery(workersQuery());
  return (
    <Page
      title="Workers"
      about="Machines that execute the attempts of runs made with --database. They share the server’s PostgreSQL database."
    >
      <QueryState query={query} what="the workers">
        {({ workers }) => (workers.length === 0 ? <NoWorkers /> : <Workers workers={workers} />)}
      </QueryState>
    </Page>
  );
}

function Workers({ workers }: { workers: readonly Worker[] }) {
  const alive = workers.filter((one) => one.alive);
  const sum = (of: (worker: Worker) => number) => alive.reduce((total, one) => total + of(one), 0);
  return (
    <section className="panel" aria-label="Workers">
      <div className="panel-head">
        <h2>{count(alive.length, 'worker')} alive</h2>
        <span className="muted">
          {sum(({ running }) => running)} of {sum(({ concurrency }) => concurrency)} places taken
        </span>
      </div>
      <DataTable caption="Workers" columns={COLUMNS} rows={workers} rowKey={({ id }) => id} />
    </section>
  );
}

const COLUMNS: readonly Column<Worker>[] = [
  {
    name: 'Worker',
    isHeader: true,
    cell: ({ host, id }) => (
      <>
        {host}
        <div className="run-sub">{id}</div>
      </>
    ),
  },
  {
    name: 'State',
    cell: ({ alive, draining, running }) =>
      alive ? (
        <Badge tone={draining ? 'warning' : running > 0 ? 'live' : 'neutral'}>
          {draining ? 'draining' : running > 0 ? 'working' : 'waiting'}
        </Badge>
      ) : (
        <Badge tone="bad">not heard of</Badge>
      ),
  },
  {
    name: 'Load',
    cell: ({ running, concurrency }) => (
      <>
        <meter className="worker-load" min={0} max={concurrency} value={running} aria-label="Places taken" /> {running}{' '}
        of {concurrency}
      </>
    ),
  },
  {
    name: 'Runs now',
    cell: ({ attempts }) =>
      attempts.length === 0 ? (
        '–'
      ) : (
        <ul className="worker-attempts">
          {attempts.map(({ run_id, case_id, trial, attempt }) => (
            <li key={`${run_id} ${case_id} ${trial}`}>
              {case_id}
              {trial > 1 && `, trial ${trial}`}
              {attempt > 1 && `, attempt ${attempt}`}
            </li>
          ))}
        </ul>
      ),
  },
  { name: 'Labels', cell: ({ labels }) => (labels.length === 0 ? '–' : labels.join(', ')) },
  { name: 'Version', cell: ({ version }) => version },
  { name: 'Last heartbeat', cell: ({ seen_at }) => <time dateTime={seen_at}>{dateTime(seen_at)}</time> },
];

function NoWorkers() {
  return (
    <Empty title="No worker has reported itself.">
      <p>
        A run with <code>waymark run … --database</code> is executed by workers, on as many machines as you like. They
        and this server use one PostgreSQL database and one place for artifacts. Start one on each machine:
      </p>
      <pre>
        <code>
          waymark worker --database postgres://waymark@db/waymark --artifacts s3://team/waymark --concurrency 4
        </code>
      </pre>
      <p>Runs that are started here or at a command line without --database need none.</p>
    </Empty>
  );
}
