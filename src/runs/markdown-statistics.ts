/** The statistics of a run in `report.md`: over all cases, and by case where there are several trials. */
import type { AtK, CaseStatistics, Rate, RunStatistics } from '../metrics/index.ts';
import { percentText, rateText, spreadText } from '../view/index.ts';
import { cell } from './markdown-cell.ts';

/** Flaky cases that are named. */
const NAMED = 20;

export function statisticsOf(statistics: RunStatistics): string {
  const { cases, trials, overCases, flaky, byCase } = statistics;
  const lines = [
    `Of what the agent decided, over ${cases} cases and ${trials} planned trials: ${share(overCases.estimate)} passed, 95 % interval over cases ${between(overCases.interval)} (clustered bootstrap).`,
    ...atKLines(statistics),
    `p50 / p95: ${amounts(statistics)}.`,
    ...attempts(statistics),
    flaky.length === 0
      ? trials > cases
        ? 'No case is flaky: each passed always or never.'
        : 'Whether a case is flaky can’t be said: each has one trial.'
      : `Flaky: ${flaky
          .slice(0, NAMED)
          .map(({ caseId, passed, of }) => `${cell(caseId)} (${passed} of ${of})`)
          .join(', ')}${flaky.length > NAMED ? ` and ${flaky.length - NAMED} more` : ''}.`,
  ];
  return `## Statistics\n\n${lines.map((line) => `- ${line}\n`).join('')}\n${byCase ? tableOf(byCase) : ''}`;
}

function atKLines({ atK }: RunStatistics): string[] {
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

function tableOf(rows: readonly CaseStatistics[]): string {
  return `| case | passed | 95 % interval | strict | pass^k | steps | time | tokens | cost |\n|---|---|---|---|---|---|---|---|---|\n${rows.map(rowOf).join('')}\n`;
}

function rowOf({ caseId, validOnly, strict, atK, steps, durationMs, tokens, costUsd }: CaseStatistics): string {
  const last = atK.at(-1);
  const cells = [
    cell(caseId),
    rateText(validOnly),
    interval(validOnly),
    rateText(strict),
    last ? ofK(last, last.passHatK) : '–',
    spreadText('steps', steps),
    durationMs ? spreadText('durationMs', durationMs) : '–',
    spreadText('tokens', tokens),
    spreadText('costUsd', costUsd),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function interval({ rate, interval: { low, high } }: Rate): string {
  return rate === null ? '–' : between({ low, high });
}

function between(range: { low: number; high: number } | null): string {
  return range === null ? '–' : `${percentText(range.low)} – ${percentText(range.high)}`;
}

function share(value: number | null): string {
  return value === null ? 'none' : percentText(value);
}
