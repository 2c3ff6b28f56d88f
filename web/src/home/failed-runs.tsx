/** Runs that need attention: they failed, could not be scored, or some of their items got no answer. */
import { Link } from '@tanstack/react-router';
import type { Run } from '../api/queries.ts';
import { CaptureLabel, ScoringBadge, StatusBadge } from '../runs/run-badges.tsx';
import { runName } from '../runs/run-name.ts';
import { Badge } from '../ui/badge.tsx';
import { dateTime } from '../ui/format.ts';
import { failureOf } from './failure-of.ts';

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
      <ul className="run-rows">
        {runs.map((run) => {
          const { what, reason } = failureOf(run);
          return (
            <li key={run.id}>
              <span className="run-row-name">
                <Link to="/runs/$id" params={{ id: run.id }}>
                  {runName(run)}
                </Link>
              </span>
              <span className="run-row-value">
                {what === 'status' && <StatusBadge status={run.status} />}
                {what === 'scoring' && <ScoringBadge status={run.scoring_status} />}
                {what === 'items' && <Badge tone="warning">errors</Badge>}
              </span>
              <span className="run-row-sub">
                {reason} <CaptureLabel run={run} />
              </span>
              <span className="run-row-time">
                <time dateTime={run.created_at}>{dateTime(run.created_at)}</time>
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
