/** How long answers took: a histogram, and the numbers that it shows. */
import type { RunItem } from '../api/queries.ts';
import { binsOf, quantile } from '../plots/histogram.ts';
import { count, duration } from '../ui/format.ts';

export function LatencyPanel({ items }: { items: readonly RunItem[] | undefined }) {
  const times = (items ?? []).flatMap(({ timing, status }) =>
    timing.latency_ms === null || status !== 'answered' ? [] : [timing.latency_ms],
  );
  const bins = binsOf(times);
  const tallest = Math.max(1, ...bins.map((bin) => bin.count));
  const [first, last] = [bins[0], bins.at(-1)];
  return (
    <section className="panel" aria-labelledby="latency">
      <div className="panel-head">
        <h2 id="latency">Latency</h2>
        <span className="muted">
          {items && (times.length === 0 ? 'no timed answers' : count(times.length, 'timed answer'))}
        </span>
      </div>
      {first && last && (
        <>
          <figure className="histogram">
            <svg width="100%" height="72" preserveAspectRatio="none" aria-hidden="true">
              {bins.map(({ from, count: n }, index) => {
                const height = (n / tallest) * 70;
                return (
                  <rect
                    key={from}
                    className="plot-bar"
                    x={`${(index / bins.length) * 100 + 0.4}%`}
                    width={`${100 / bins.length - 0.8}%`}
                    y={71 - height}
                    height={height}
                  />
                );
              })}
              <line className="plot-axis" x1="0%" x2="100%" y1="71.5" y2="71.5" />
            </svg>
            <figcaption className="histogram-ends number">
              <span>{duration(first.from)}</span>
              <span>{duration(last.to)}</span>
            </figcaption>
          </figure>
          <p className="muted number">
            Median {duration(quantile(times, 0.5))}, 95 % within {duration(quantile(times, 0.95))}, longest{' '}
            {duration(quantile(times, 1))}.
          </p>
        </>
      )}
    </section>
  );
}
