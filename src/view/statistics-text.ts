/** The statistics of a run in words: the same in report.md and in the viewer. */
import type { AtK, CaseStatistics, Rate, RunStatistics } from '../metrics/index.ts';
import { percentText } from './agreement-text.ts';
import { spreadText } from './comparison-tables.ts';
import { rateText } from './comparison-text.ts';

/** Flaky cases that are named. */
const NAMED = 20;

export interface StatisticsRow {
  caseId: string;
  validOnly: Rate;
  /** One for each of `CASE_COLUMNS`. */
  cells: string[];
}

/** One sentence for each thing that is known of the whole run. `written` makes a case's id safe for the file that it stands in. */
export function statisticsSentences(
  statistics: RunStatistics,
  written: (caseId: string) => string = (caseId) => caseId,
): string[] {
  const { cases, trials, overCases, flaky } = statistics;
  return [
    `Of what the agent decided, over ${cases} cases and ${trials} planned trials: ${share(overCases.estimate)} passed, 95 % interval over cases ${between(overCases.interval)} (clustered bootstrap).`,
    ...atKSentences(statistics),
    `p50 / p95: ${amounts(statistics)}.`,
    ...attempts(statistics),
    flaky.length === 0
      ? trials > cases
        ? 'No case is flaky: each passed always or never.'
        : 'Whether a case is flaky can’t be said: each has one trial.'
      : `Flaky: ${flaky
          .slice(0, NAMED)
          .map(({ caseId, passed, of }) => `${written(caseId)} (${passed} of ${of})`)
          .join(', ')}${flaky.length > NAMED ? ` and ${flaky.length - NAMED} more` : ''}.`,
  ];
}

/** None where every case has one trial. */
export function caseRows({ byCase = [] }: RunStatistics): StatisticsRow[] {
  return byCase.map(({ caseId, validOnly, strict, atK, steps, durationMs, tokens, costUsd }: CaseStatistics) => {
    const last = atK.at(-1);
    return {
      caseId,
      validOnly,
      cells: [
        rateText(validOnly),
        validOnly.rate === null ? '–' : between(validOnly.interval),
        rateText(strict),
        last ? ofK(last, last.passHatK) : '–',
        spreadText('steps', steps),
        durationMs ? spreadText('durationMs', durationMs) : '–',
        spreadText('tokens', tokens),
        spreadText('costUsd', costUsd),
      ],
    };
  });
}

function atKSentences({ atK }: RunStatistics): string[] {
  const several = atK.filter(({ k }) => k > 1);
  if (several.length === 0) return [];
  return [
    `At least one of k trials passes (pass@k): ${several.map((row) => ofK(row, row.passAtK)).join(', ')}. All of k pass (pass^k): ${several.map((row) => ofK(row, row.passHatK)).join(', ')}.`,
  ];
}

function ofK({ k }: AtK, value: number | null): string {
  return `k = ${k}: ${share(value)}`;
}

function attempts({ passedFirst, passedAfterRetry }: RunStatistics): string[] {
  if (passedFirst === undefined || passedAfterRetry === undefined) return [];
  return [`Passed in the first attempt: ${passedFirst}; only after a retry: ${passedAfterRetry}.`];
}

function amounts({ steps, durationMs, tokens, costUsd }: RunStatistics): string {
  const parts = [
    ...(steps.known > 0 ? [`steps ${spreadText('steps', steps)}`] : []),
    ...(durationMs && durationMs.known > 0 ? [`time ${spreadText('durationMs', durationMs)}`] : []),
    ...(tokens.known > 0 ? [`tokens ${spreadText('tokens', tokens)}`] : []),
    ...(costUsd.known > 0 ? [`cost ${spreadText('costUsd', costUsd)}`] : []),
  ];
  return parts.length === 0 ? 'unknown' : parts.join(', ');
}

function between(range: { low: number; high: number } | null): string {
  return range === null ? '–' : `${percentText(range.low)} – ${percentText(range.high)}`;
}

function share(value: number | null): string {
  return value === null ? 'none' : percentText(value);
}
