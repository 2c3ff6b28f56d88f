/** The runs of a dataset over time, one series per model. */
import type { Overview } from '../api/queries.ts';
import { modelTitle } from './model-cells.ts';

export type TrendPoint = Overview['trends'][number]['points'][number];

export interface TrendSeries {
  name: string;
  /** Oldest first, each with its place among all runs of the dataset. */
  points: { at: number; point: TrendPoint }[];
}

/** The model that ran last first. Runs are evenly spaced: nights and weekends say nothing. */
export function seriesOf(points: readonly TrendPoint[]): TrendSeries[] {
  const byModel = Map.groupBy(
    points.map((point, index) => ({ at: points.length === 1 ? 0.5 : index / (points.length - 1), point })),
    ({ point }) => modelTitle(point),
  );
  return [...byModel]
    .map(([name, ofModel]) => ({ name, points: ofModel }))
    .sort((a, b) => (b.points.at(-1)?.at ?? 0) - (a.points.at(-1)?.at ?? 0));
}
