/** Accuracy with its interval, and right beside it how much of the run it speaks for. */
import { Link } from '@tanstack/react-router';
import type { RunDetail } from '../api/queries.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { count, percent } from '../ui/format.ts';
import { VerdictBadge } from './run-badges.tsx';
import { VERDICTS } from './run-search.ts';

export function SummaryPanel({ run }: { run: RunDetail }) {
  const { accuracy, coverage, interval, passed, scored, total, verdicts, mean_value: mean } = run.summary;
  return (
    <section className="panel" aria-labelledby="summary">
      <h2 id="summary">Result</h2>
      <div className="figures">
        <div>
          <p className="figure-name">Accuracy</p>
          <p className="figure number">{percent(accuracy)}</p>
          <p className="muted">
            {accuracy === null
              ? 'nothing scored yet'
              : `${passed} of ${scored} scored; 95 % interval ${percent(interval.low, 0)} to ${percent(interval.high, 0)}`}
          </p>
        </div>
        <div>
          <p className="figure-name">Coverage</p>
          <p className="figure number">{percent(coverage)}</p>
          <p className="muted">
            {scored} of {count(total, 'item')} scored
          </p>
        </div>
      </div>
      {accuracy !== null && <IntervalBar value={accuracy} {...interval} />}
      <ul className="verdicts">
        {VERDICTS.filter((verdict) => verdicts[verdict] > 0).map((verdict) => (
          <li key={verdict}>
            <Link to="/runs/$id" params={{ id: run.id }} search={{ verdict }} hash="items">
              <VerdictBadge verdict={verdict} /> <span className="number">{verdicts[verdict]}</span>
            </Link>
          </li>
        ))}
      </ul>
      {mean !== null && mean !== accuracy && (
        <p className="muted">Mean value {mean.toFixed(3)}: answers that are partly right count in part.</p>
      )}
    </section>
  );
}
