/** The difference of B against A with its interval, on a line around zero. */
import { points } from '../ui/format.ts';

export interface DifferencePlotProps {
  estimate: number;
  interval: { low: number; high: number } | null;
}

export function DifferencePlot({ estimate, interval }: DifferencePlotProps) {
  const { low, high } = interval ?? { low: estimate, high: estimate };
  // As wide as it must be, in steps of 10 points, and the same to both sides.
  const reach = Math.min(1, Math.max(0.1, Math.ceil(Math.max(Math.abs(low), Math.abs(high)) * 10) / 10));
  const at = (value: number): string => `${((value / reach + 1) * 50).toFixed(2)}%`;
  return (
    <section className="panel" aria-labelledby="difference">
      <div className="panel-head">
        <h2 id="difference">Difference</h2>
        <span className="muted number">{points(estimate)}</span>
      </div>
      <figure className="difference">
        <svg width="100%" height="44" aria-hidden="true" overflow="visible">
          <line className="plot-axis" x1="0%" x2="100%" y1="22" y2="22" />
          <line className="plot-zero" x1="50%" x2="50%" y1="2" y2="42" />
          <rect
            className="plot-range"
            x={at(low)}
            width={`${(((high - low) / reach) * 50).toFixed(2)}%`}
            y="15"
            height="14"
            rx="3"
          />
          <circle className="plot-point" cx={at(estimate)} cy="22" r="6" />
        </svg>
        <figcaption className="histogram-ends number">
          <span>{points(-reach)}: A better</span>
          <span>B better: {points(reach)}</span>
        </figcaption>
      </figure>
    </section>
  );
}
