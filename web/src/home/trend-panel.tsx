/** How each dataset and suite went over time: a point per run with its interval, a line per model or agent, and the same in words. */
import { Link } from '@tanstack/react-router';
import { count, dateTime, percent } from '../ui/format.ts';
import { TrendChart } from './trend-chart.tsx';
import { seriesOf, type TrendSeries } from './trend-series.ts';
import type { Trend } from './trends.ts';

/** As many as have a colour of their own. The tables above have them all. */
const SHOWN = 5;

export function TrendPanel({ trends }: { trends: readonly Trend[] }) {
  return (
    <section className="panel" aria-labelledby="trends">
      <div className="panel-head">
        <h2 id="trends">Trends</h2>
        <span className="muted">Accuracy or strict pass rate of the latest runs, oldest on the left, 0 to 100 %</span>
      </div>
      <ul className="trends">
        {trends.map(({ key, name, suite, points }) => {
          const series = seriesOf(points);
          return (
            <li key={key}>
              <h3>
                <Link to="/runs" search={{ suite }}>
                  {name}
                </Link>{' '}
                <span className="muted">{count(points.length, 'run')}</span>
              </h3>
              <TrendChart series={series.slice(0, SHOWN)} />
              <p className="trend-ends muted">
                <span>{dateTime(points[0]?.createdAt ?? null)}</span>
                <span>{points.length > 1 && dateTime(points.at(-1)?.createdAt ?? null)}</span>
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
                {series.length > SHOWN && <li className="muted">and {series.length - SHOWN} more</li>}
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
      <Link to={last.page} params={{ id: last.runId }} className="number">
        {percent(last.rate)}
      </Link>
      {before && <span className="muted number"> after {percent(before.rate)}</span>}
    </>
  );
}
