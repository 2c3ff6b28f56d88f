import { expect, test } from 'vitest';
import type { EpisodeResult } from '../../events/index.ts';
import { runStatistics } from '../../metrics/index.ts';
import type { RunSummary } from '../report.ts';
import { escapeXml } from './escape-xml.ts';
import { junitReport, type ReportedRun } from './junit.ts';
import { stepSummary } from './step-summary.ts';

const episode = (taskId: string, more: Partial<EpisodeResult>): EpisodeResult =>
  ({
    taskId,
    trial: 1,
    attempt: 1,
    steps: 3,
    durationMs: 1_500,
    success: false,
    outcome: 'failed',
    reason: 'It did not hold.',
    artifacts: { eventsJsonl: `episodes/${taskId}/trial-1/events.jsonl`, reportJson: 'report.json' },
    ...more,
  }) as EpisodeResult;
const rate = (passed: number, of: number) => ({ passed, of, rate: passed / of, interval: { low: 0.1, high: 0.9 } });
const report: ReportedRun = {
  runId: 'run-1',
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:01:00.000Z',
  durationMs: 60_000,
  format: 'waymark.report.v1',
  agent: 'single',
  server: { name: 'embedded', version: '1', transport: 'memory', isolation: 'context' },
  browser: { product: 'Chrome/1', kind: 'shell' },
  summary: {
    episodes: 6,
    planned: 6,
    finished: 3,
    interrupted: 1,
    notBegun: 1,
    pending: 1,
    unfinished: { interrupted: ['cut'], notBegun: ['never'], pending: ['later (trial 2)'] },
    passed: 1,
    strict: rate(1, 6),
    validOnly: rate(1, 2),
    outcomes: { passed: 1, failed: 1, env_error: 2 },
    statistics: runStatistics([]),
  } satisfies RunSummary,
  episodes: [
    episode('good', { success: true, outcome: 'passed', reason: 'The contract holds.' }),
    episode('bad', { trial: 2, reason: 'Expected <b> & "x"\u0000\u001b[31m | pipe\nsecond line' }),
    episode('lost', { outcome: 'env_error', reason: 'The browser is gone.' }),
    episode('cut', { interrupted: true }),
  ],
};

test('JUnit: failures are the agent’s, errors are not, and what has no result is there by its name', () => {
  const xml = junitReport(report);
  expect(xml).toContain('tests="6" failures="1" errors="2" skipped="2" time="60.000"');
  expect(xml).toContain('<testcase classname="good" name="good" time="1.500"><properties>');
  expect(xml).toContain(
    '<failure type="failed" message="Expected &lt;b&gt; &amp; &quot;x&quot;\ufffd\ufffd[31m | pipe">',
  );
  expect(xml).toContain('name="bad (trial 2)"');
  expect(xml).toContain('<error type="env_error" message="The browser is gone.">');
  expect(xml).toContain('name="never" time="0"><error message="The episode could not be begun."/>');
  expect(xml).toContain('name="later (trial 2)" time="0"><skipped message="The run ended before its turn."/>');
  expect(xml.match(/<testcase /g)).toHaveLength(6);
});

test('XML holds nothing that XML may not hold', () => {
  expect(escapeXml('a\u0008b\ud800c\ufffed\te')).toBe('a\ufffdb\ufffdc\ufffdd\te');
  expect(escapeXml(`<&>"'`)).toBe('&lt;&amp;&gt;&quot;&apos;');
});

test('the step summary has both rates, the classes, what is left, and what did not pass, as text and not as markup', () => {
  const text = stepSummary(report);
  expect(text).toContain('### ❌ 1 of 6 passed\n');
  expect(text).toContain('| strict: everything that was planned | 17 % | 1/6 | 10 % to 90 % |\n');
  expect(text).toContain('| valid only: without faults of harness, server and browser | 50 % | 1/2 | 10 % to 90 % |\n');
  expect(text).toContain('Outcomes: 1 passed, 1 failed, 2 env_error.\n');
  expect(text).toContain(
    '3 of 6 have not finished: 1 interrupted (cut), 1 not begun (never), 1 pending (later (trial 2)).',
  );
  expect(text).toContain('| bad (trial 2) | failed | 3 | Expected &lt;b\\> &amp; "x"');
  expect(text).toContain('| cut | interrupted | 3 |');
  expect(text).not.toContain('| good |');
});

test('a summary of very many failures stays small', () => {
  const text = stepSummary({
    ...report,
    episodes: Array.from({ length: 5_000 }, (_, n) => episode(`t${n}`, { reason: 'x'.repeat(10_000) })),
  });
  expect(text.length).toBeLessThan(100_000);
  expect(text).toContain('And 4900 more.');
});
