/** How each dataset went over time: a point per scored run with its interval, a line per model, and the same in words. */
import { Link } from '@tanstack/react-router';
import type { Overview } from '../api/queries.ts';
import { count, dateTime, percent } from '../ui/format.ts';
import { TrendChart } from './trend-chart.tsx';
import { seriesOf, type TrendSeries } from './trend-series.ts';

/** As many as have a colour of their own. The table above has them all. */
const SHOWN = 5;

export function TrendPanel({ trends }: Pick<Overview, 'trends'>) {
  return (
    <section className="panel" aria-labelledby="trends">
      <div className="panel-head">
        <h2 id="trends">Trends</h2>
        <span className="muted">Accuracy of the latest scored runs, oldest on the left, 0 to 100 %</span>
      </div>
      <ul className="trends">
        {trends.map(({ dataset, points }) => {
          const series = seriesOf(points);
          return (
            <li key={dataset.id}>
              <h3>
                <Link to="/runs" search={{ suite: dataset.id }}>
                  {dataset.name}
                </Link>{' '}
                <span className="muted">{count(points.length, 'run')}</span>
              </h3>
              <TrendChart series={series.slice(0, SHOWN)} />
              <p className="trend-ends muted">
                <span>{dateTime(points[0]?.created_at ?? null)}</span>
                <span>{points.length > 1 && dateTime(points.at(-1)?.created_at ?? null)}</span>
              </p>
              <ul className="trend-legend">
                {series.slice(0, SHOWN).map((one, index) => (
                  <li key={one.name}>
                    <svg className="swatch" width="12" height="12" aria-hidden="true">
                      <rect className={`series-${index}`} width="12" height="12" rx="2" />
                    </svg>
                    {one.name}: <InWords series={one} />
                  </li>
                ))}
                {series.length > SHOWN && <li className="muted">and {count(series.length - SHOWN, 'more model')}</li>}
              </ul>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function InWords({ series: { points } }: { series: TrendSeries }) {
  const [before, last] = [points.at(-2)?.point, points.at(-1)?.point];
  if (!last) return null;
  return (
    <>
      <Link to="/runs/$id" params={{ id: last.run_id }} className="number">
        {percent(last.accuracy)}
      </Link>
      {before && <span className="muted number"> after {percent(before.accuracy)}</span>}
    </>
  );
}
