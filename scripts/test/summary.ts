/** The end of `npm test`: a table of the stages, and the sum over all tests as the last line. */
import type { Counts } from './counts.ts';
import type { StageResult } from './stage.ts';

export function summary(results: readonly StageResult[]): string[] {
  const width = Math.max(...results.map(({ name }) => name.length), 'stage'.length);
  const rows = results.map(({ name, ok, seconds, counts }) =>
    `${name.padEnd(width)}  ${ok ? 'ok    ' : 'FAILED'}  ${seconds.toFixed(1).padStart(7)}  ${counts ? inWords(counts) : ''}`.trimEnd(),
  );
  const total = results.reduce<Counts>(
    (sum, { counts }) => ({
      passed: sum.passed + (counts?.passed ?? 0),
      failed: sum.failed + (counts?.failed ?? 0),
      skipped: sum.skipped + (counts?.skipped ?? 0),
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  return [
    '',
    `${'stage'.padEnd(width)}  result  seconds  tests`,
    ...rows,
    '',
    ...results.flatMap(({ name, slowest = [] }) =>
      slowest.length > 0 ? [`slowest of ${name}, seconds`, ...slowest, ''] : [],
    ),
    ...results.flatMap(({ failures = [] }) => failures.map((failure) => `✗ ${failure.split('\n')[0]}`)),
    failed.length === 0 ? 'all stages ok' : `failed: ${failed.join(', ')}`,
    inWords(total),
  ];
}

function inWords({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
