/** Runs that need attention: they failed, could not be scored, or some of their items got no answer. */
import { Link } from '@tanstack/react-router';
import type { Run } from '../api/queries.ts';
import { ScoringBadge, StatusBadge } from '../runs/run-badges.tsx';
import { Badge } from '../ui/badge.tsx';
import { failureOf } from './failure-of.ts';
import { RunRows } from './run-rows.tsx';

export function FailedRuns({ runs }: { runs: readonly Run[] }) {
  return (
    <section className="panel" aria-labelledby="failed">
      <div className="panel-head">
        <h2 id="failed">What failed</h2>
        <Link to="/runs" search={{ status: 'failed' }}>
          All failed runs
        </Link>
      </div>
      {runs.length === 0 && <p className="muted">Nothing: all of the latest runs were answered and scored.</p>}
      <RunRows runs={runs} value={(run) => <FailureOf run={run} />} about={(run) => failureOf(run).reason} />
    </section>
  );
}

function FailureOf({ run }: { run: Run }) {
  const { what } = failureOf(run);
  if (what === 'status') return <StatusBadge status={run.status} />;
  return what === 'scoring' ? <ScoringBadge status={run.scoring_status} /> : <Badge tone="warning">errors</Badge>;
}
