import { Link } from '@tanstack/react-router';
import type { AnyRun } from '../api/queries.ts';
import { anyRunDetails } from '../runs/any-run-name.ts';
import { RunState } from '../runs/any-run-parts.tsx';
import { percent } from '../ui/format.ts';
import { RunRows } from './run-rows.tsx';

export function LatestRuns({ runs }: { runs: readonly AnyRun[] }) {
  return (
    <section className="panel" aria-labelledby="latest">
      <div className="panel-head">
        <h2 id="latest">Latest runs</h2>
        <Link to="/runs">All runs</Link>
      </div>
      <RunRows runs={runs} value={(run) => <ResultOf run={run} />} isNumber about={anyRunDetails} />
    </section>
  );
}

function ResultOf({ run }: { run: AnyRun }) {
  return run.rate === null ? <RunState run={run} /> : <strong>{percent(run.rate)}</strong>;
}
