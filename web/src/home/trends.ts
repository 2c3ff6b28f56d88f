/** How datasets and suites went over time: runs of the same questions or tasks, with a series for each model or agent. */
import type { AnyRun, Overview } from '../api/queries.ts';
import { anyRunPage, isOfTestModel, TEST_MODEL } from '../runs/any-run-name.ts';
import { isRated, type RatedRun } from './agent-cells.ts';
import { modelTitle } from './model-cells.ts';

export interface TrendPoint {
  runId: string;
  page: ReturnType<typeof anyRunPage>;
  /** The model or the agent. */
  series: string;
  rate: number | null;
  interval: { low: number; high: number };
  createdAt: string;
}

export interface Trend {
  key: string;
  /** Of the dataset or the suite. */
  name: string;
  /** What the list of runs is filtered by. */
  suite: string;
  /** Oldest first. */
  points: TrendPoint[];
}

export function datasetTrends(trends: Overview['trends']): Trend[] {
  return trends.map(({ dataset, points }) => ({
    key: dataset.id,
    name: dataset.name,
    suite: dataset.id,
    points: points.map((point) => ({
      runId: point.run_id,
      page: '/runs/$id',
      series: modelTitle(point),
      rate: point.accuracy,
      interval: point.interval,
      createdAt: point.created_at,
    })),
  }));
}

/** As many points as the trend of a dataset has. */
const POINTS = 30;

/**
 * Of completed runs that are sorted by their time, the newest first. Only runs of the same tasks are in one trend, and only where an agent was run on
 * them again: a single run of each agent is in the table.
 */
export function suiteTrends(runs: readonly AnyRun[]): Trend[] {
  return [...Map.groupBy(runs.filter(isRated), ({ suite }) => JSON.stringify([suite.name, suite.hash]))]
    .filter(([, same]) => new Set(same.map(seriesName)).size < same.length)
    .map(([key, same]) => ({
      key,
      name: same[0]?.suite.name ?? '',
      suite: same[0]?.suite.name ?? '',
      points: same.slice(0, POINTS).reverse().map(pointOf),
    }));
}

function pointOf(run: RatedRun): TrendPoint {
  const { id, rate, interval, createdAt } = run;
  return { runId: id, page: anyRunPage(run), series: seriesName(run), rate, interval, createdAt };
}

function seriesName(run: AnyRun): string {
  return [run.variant.name, isOfTestModel(run) ? TEST_MODEL : []].flat().join(' · ');
}
