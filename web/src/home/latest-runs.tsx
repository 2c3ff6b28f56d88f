import { Link } from '@tanstack/react-router';
import type { Run } from '../api/queries.ts';
import { CaptureLabel, ScoringBadge, StatusBadge } from '../runs/run-badges.tsx';
import { runDetails, runName } from '../runs/run-name.ts';
import { dateTime, percent } from '../ui/format.ts';

export function LatestRuns({ runs }: { runs: readonly Run[] }) {
  return (
    <section className="panel" aria-labelledby="latest">
      <div className="panel-head">
        <h2 id="latest">Latest runs</h2>
        <Link to="/runs">All runs</Link>
      </div>
      <ul className="run-rows">
        {runs.map((run) => (
          <li key={run.id}>
            <span className="run-row-name">
              <Link to="/runs/$id" params={{ id: run.id }}>
                {runName(run)}
              </Link>
            </span>
            <span className="run-row-value number">
              {run.accuracy === null ? <StateOf run={run} /> : <strong>{percent(run.accuracy)}</strong>}
            </span>
            <span className="run-row-sub">
              {runDetails(run)} <CaptureLabel run={run} />
            </span>
            <span className="run-row-time">
              <time dateTime={run.created_at}>{dateTime(run.created_at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function StateOf({ run }: { run: Run }) {
  return run.status === 'completed' ? (
    <ScoringBadge status={run.scoring_status} />
  ) : (
    <StatusBadge status={run.status} />
  );
}
