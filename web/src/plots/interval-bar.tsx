/** A share with its interval on a line from 0 to 100 %. Coordinates are percentages: the picture stretches, its strokes do not. */
export interface IntervalBarProps {
  value: number;
  low: number;
  high: number;
}

const at = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** The numbers stand beside it as text, so that it is hidden from screen readers. */
export function IntervalBar({ value, low, high }: IntervalBarProps) {
  return (
    <svg className="interval-bar" width="100%" height="16" aria-hidden="true" overflow="visible">
      <line className="plot-axis" x1="0%" x2="100%" y1="8" y2="8" />
      {[0, 0.5, 1].map((tick) => (
        <line key={tick} className="plot-axis" x1={at(tick)} x2={at(tick)} y1="4" y2="12" />
      ))}
      <rect className="plot-range" x={at(low)} width={at(Math.max(high - low, 0))} y="4" height="8" rx="2" />
      <circle className="plot-point" cx={at(value)} cy="8" r="4.5" />
    </svg>
  );
}
