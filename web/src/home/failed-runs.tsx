/** Runs that need attention: they failed, could not be scored, or some of their items or attempts came to an error. */
import { Link } from '@tanstack/react-router';
import type { AnyRun } from '../api/queries.ts';
import { StateBadge } from '../runs/any-run-parts.tsx';
import { ScoringBadge } from '../runs/run-badges.tsx';
import { Badge } from '../ui/badge.tsx';
import { failureOf } from './failure-of.ts';
import { RunRows } from './run-rows.tsx';

export function FailedRuns({ runs }: { runs: readonly AnyRun[] }) {
  return (
    <section className="panel" aria-labelledby="failed">
      <div className="panel-head">
        <h2 id="failed">What failed</h2>
        <Link to="/runs" search={{ state: 'failed' }}>
          All failed runs
        </Link>
      </div>
      {runs.length === 0 && <p className="muted">Nothing: no run failed, and all were answered and scored.</p>}
      <RunRows runs={runs} value={(run) => <FailureOf run={run} />} about={({ problem }) => problem ?? ''} />
    </section>
  );
}

function FailureOf({ run }: { run: AnyRun }) {
  const what = failureOf(run);
  if (what === 'state') return <StateBadge state={run.state} />;
  if (what === 'scoring' && run.scoring !== null) return <ScoringBadge status={run.scoring} />;
  return <Badge tone="warning">{run.kind === 'agent' ? 'faults' : 'errors'}</Badge>;
}
