/** The runs of a trend, one series per model or agent. */
import type { TrendPoint } from './trends.ts';

export interface TrendSeries {
  name: string;
  /** Oldest first, each with its place among all runs of the trend. */
  points: { at: number; point: TrendPoint }[];
}

/** The one that ran last first. Runs are evenly spaced: nights and weekends say nothing. */
export function seriesOf(points: readonly TrendPoint[]): TrendSeries[] {
  const byName = Map.groupBy(
    points.map((point, index) => ({ at: points.length === 1 ? 0.5 : index / (points.length - 1), point })),
    ({ point }) => point.series,
  );
  return [...byName]
    .map(([name, own]) => ({ name, points: own }))
    .sort((a, b) => (b.points.at(-1)?.at ?? 0) - (a.points.at(-1)?.at ?? 0));
}
