/** Pass rates over time as a table of texts. */
import type { TrendRow } from '../metrics/index.ts';
import { percentText } from './agreement-text.ts';
import type { TextTable } from './comparison-tables.ts';
import { rateText } from './comparison-text.ts';

export function trendTable(rows: readonly TrendRow[]): TextTable {
  const others = rows.filter(({ isSameSuite }) => !isSameSuite).length;
  return {
    title: 'trend',
    columns: ['run', 'started', 'variant', 'passed', '95 % interval', 'over cases', 'strict', 'suite'],
    rows: rows.map(({ runId, startedAt, name, validOnly, overCases, strict, suite, isSameSuite }) => [
      runId,
      startedAt.replace('T', ' ').slice(0, 16),
      name,
      rateText(validOnly),
      between(validOnly.rate === null ? null : validOnly.interval),
      between(overCases.interval),
      rateText(strict),
      `${suite.name || suite.hash.slice(0, 12)}${isSameSuite ? '' : ' (another)'}`,
    ]),
    ...(others > 0
      ? {
          note: `${others} ${others === 1 ? 'run is' : 'runs are'} of another suite than the newest one: do not compare the rates.`,
        }
      : {}),
  };
}

function between(interval: { low: number; high: number } | null): string {
  return interval === null ? '–' : `${percentText(interval.low)} – ${percentText(interval.high)}`;
}
