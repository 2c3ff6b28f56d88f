/** The first page: what ran last, what failed, each agent on each suite, each model on each dataset, and how each suite and dataset went over time. */
import { useQuery } from '@tanstack/react-query';
import { type AnyRun, allRunsQuery, type Overview, overviewQuery } from '../api/queries.ts';
import { useLiveRuns } from '../live/use-live-runs.ts';
import { BeginLinks, NoRuns } from '../runs/begin-a-run.tsx';
import { Page } from '../shell/page.tsx';
import { count } from '../ui/format.ts';
import { QueryState } from '../ui/states.tsx';
import { AgentsOnSuites } from './agent-table.tsx';
import { FailedRuns } from './failed-runs.tsx';
import { LatestRuns } from './latest-runs.tsx';
import { ModelTable } from './model-table.tsx';
import { TrendPanel } from './trend-panel.tsx';
import { datasetTrends, suiteTrends } from './trends.ts';
import '../runs/runs.css';
import './home.css';

export default function HomePage() {
  const query = useQuery(overviewQuery());
  const latest = useQuery(allRunsQuery({ limit: LISTED }));
  useLiveRuns();
  const agents = useQuery({
    ...allRunsQuery({ kind: 'agent', state: 'completed', limit: AGENT_RUNS }),
    refetchInterval: AGENTS_MS,
  });
  const running = useQuery(allRunsQuery({ kind: 'agent', state: 'running', limit: 1 })).data?.total ?? 0;
  const trends = [...suiteTrends(agents.data?.runs ?? []), ...datasetTrends(query.data?.trends ?? [])];
  const total = latest.data?.total ?? 0;
  return (
    <Page
      title="Home"
      about={query.data && total > 0 ? totalsOf(query.data, total, running) : undefined}
      actions={<BeginLinks />}
    >
      <QueryState query={latest} what="the latest runs">
        {({ runs }) => runs.length > 0 && <LatestAndFailed latest={runs} />}
      </QueryState>
      <QueryState query={agents} what="runs of agents">
        {({ runs, total: all }) => <AgentsOnSuites runs={runs} total={all} />}
      </QueryState>
      <QueryState query={query} what="the overview">
        {(overview) =>
          overview.totals.runs > 0 ? (
            <ModelTable table={overview.table} />
          ) : (
            latest.data?.total === 0 && <NoRuns hasDatasets={overview.totals.datasets > 0} />
          )
        }
      </QueryState>
      {trends.length > 0 && <TrendPanel trends={trends} />}
    </Page>
  );
}

/** Runs in each of the two lists. */
const LISTED = 8;
/** The newest ones, of which each agent's newest on each suite is shown. */
const AGENT_RUNS = 100;
/** Seldom: what ran last is looked for more often, and of runs that workers execute the attempts are counted. */
const AGENTS_MS = 30_000;

function LatestAndFailed({ latest }: { latest: readonly AnyRun[] }) {
  const failed = useQuery(allRunsQuery({ attention: 'true', limit: LISTED }));
  return (
    <div className="columns">
      <LatestRuns runs={latest} />
      <QueryState query={failed} what="what failed">
        {({ runs }) => <FailedRuns runs={runs} />}
      </QueryState>
    </div>
  );
}

/** The overview counts only runs of stored datasets. */
function totalsOf({ totals: { under_way, datasets } }: Overview, total: number, running: number): string {
  return `${count(total, 'run')}, ${count(datasets, 'dataset')}, ${under_way + running} in progress.`;
}
