import { Link } from '@tanstack/react-router';
import type { Run } from '../api/queries.ts';
import { ScoringBadge, StatusBadge } from '../runs/run-badges.tsx';
import { runDetails } from '../runs/run-name.ts';
import { percent } from '../ui/format.ts';
import { RunRows } from './run-rows.tsx';

export function LatestRuns({ runs }: { runs: readonly Run[] }) {
  return (
    <section className="panel" aria-labelledby="latest">
      <div className="panel-head">
        <h2 id="latest">Latest runs</h2>
        <Link to="/runs">All runs</Link>
      </div>
      <RunRows runs={runs} value={(run) => <ResultOf run={run} />} isNumber about={runDetails} />
    </section>
  );
}

function ResultOf({ run }: { run: Run }) {
  if (run.accuracy !== null) return <strong>{percent(run.accuracy)}</strong>;
  return run.status === 'completed' ? (
    <ScoringBadge status={run.scoring_status} />
  ) : (
    <StatusBadge status={run.status} />
  );
}
