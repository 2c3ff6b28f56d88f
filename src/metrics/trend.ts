/** Pass rates over time, one row per run. */
import { type BootstrapResult, clusteredBootstrap } from './bootstrap.ts';
import type { Rate } from './outcome.ts';
import { seededRandom } from './random.ts';
import { resamplesFor } from './resamples.ts';
import type { RunSample } from './run-sample.ts';
import { decisions, ratesOf } from './run-statistics.ts';

export interface TrendRow {
  runId: string;
  startedAt: string;
  name: string;
  suite: RunSample['suite'];
  strict: Rate;
  /** With Wilson's interval. */
  validOnly: Rate;
  /** The same rate with an interval over cases. */
  overCases: BootstrapResult;
  /** Whether the suite is, case for case, that of the newest run. */
  isSameSuite: boolean;
}

/** Oldest first. */
export function trendOf(samples: readonly RunSample[]): TrendRow[] {
  const sorted = samples.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  const newest = sorted.at(-1);
  return sorted.map(({ runId, startedAt, name, suite, trials }) => {
    const clusters = [...Map.groupBy(trials, ({ caseId }) => caseId).values()].map(decisions);
    return {
      runId,
      startedAt,
      name,
      suite,
      ...ratesOf(trials),
      overCases: clusteredBootstrap(clusters, seededRandom(1), { resamples: resamplesFor(clusters.length) }),
      isSameSuite: suite.hash === newest?.suite.hash,
    };
  });
}
