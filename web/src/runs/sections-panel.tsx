/** Accuracy by section, each with its interval and its coverage. */
import type { RunDetail } from '../api/queries.ts';
import { IntervalBar } from '../plots/interval-bar.tsx';
import { percent } from '../ui/format.ts';

export function SectionsPanel({ summary }: { summary: RunDetail['summary'] }) {
  return (
    <section className="panel" aria-labelledby="sections">
      <div className="panel-head">
        <h2 id="sections">By section</h2>
        <span className="muted">95 % intervals, 0 to 100 %</span>
      </div>
      <ul className="section-rows">
        {summary.sections.map(({ section, accuracy, interval, scored, total }) => (
          <li key={section}>
            <span className="section-name">{section}</span>
            <span className="section-plot">
              {accuracy === null ? (
                <span className="muted">nothing scored</span>
              ) : (
                <IntervalBar value={accuracy} {...interval} />
              )}
            </span>
            <span className="section-value number">
              <strong>{percent(accuracy)}</strong>{' '}
              <span className="muted">
                {scored}/{total} scored
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
