/** Points with their intervals, joined by a line per model or agent. Coordinates are percentages: the picture stretches, its strokes do not. */
import type { TrendSeries } from './trend-series.ts';

const HEIGHT = 96;
/** Room for half a point at the edges. */
const MARGIN = 3;
const x = (at: number): string => `${(MARGIN + at * (100 - 2 * MARGIN)).toFixed(2)}%`;
const y = (share: number): string => `${(6 + (1 - share) * 88).toFixed(2)}%`;

/** The numbers stand below it as text, so that it is hidden from screen readers. */
export function TrendChart({ series }: { series: readonly TrendSeries[] }) {
  return (
    <svg className="trend" width="100%" height={HEIGHT} aria-hidden="true">
      {[0, 0.5, 1].map((tick) => (
        <line key={tick} className="trend-grid" x1="0%" x2="100%" y1={y(tick)} y2={y(tick)} />
      ))}
      {series.map(({ name, points }, index) => (
        <g key={name} className={`series-${index}`}>
          {points.map(({ at, point }, place) => {
            const before = points[place - 1];
            const value = point.rate ?? 0;
            return (
              <g key={point.runId}>
                <line
                  className="trend-interval"
                  x1={x(at)}
                  x2={x(at)}
                  y1={y(point.interval.low)}
                  y2={y(point.interval.high)}
                />
                {before && (
                  <line
                    className="trend-line"
                    x1={x(before.at)}
                    y1={y(before.point.rate ?? 0)}
                    x2={x(at)}
                    y2={y(value)}
                  />
                )}
                <circle className="trend-point" cx={x(at)} cy={y(value)} r="3.5" />
              </g>
            );
          })}
        </g>
      ))}
    </svg>
  );
}
