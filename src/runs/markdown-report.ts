/** `report.md`: the run for people who read text. */

import { explain } from '../contracts/index.ts';
import type { EpisodeResult } from '../episode/index.ts';
import type { Rate } from '../metrics/index.ts';
import type { RunReport } from './report.ts';

export function markdownReport(report: RunReport, results: readonly EpisodeResult[]): string {
  const { summary, server, browser } = report;
  const rows = results.map(
    (r) =>
      `| ${r.taskId}${r.trial > 1 ? ` (trial ${r.trial})` : ''} | ${r.status} | ${r.steps} | ${r.toolCalls} | ${r.openchromeErrors} | ${r.reward ? r.reward.sum.toFixed(2) : '–'} | ${(r.durationMs / 1000).toFixed(1)} s |`,
  );
  const failures = results.filter(({ success }) => !success).map(failure);
  return [
    `# Run ${report.runId}`,
    '',
    `Agent ${report.agent}, server ${server.name} ${server.version} (${server.transport}, isolation: ${server.isolation}), ${browser.product} (${browser.kind}).`,
    '',
    `**${summary.passed} of ${summary.episodes} passed** (${percent(summary.strict)}); not counting faults of harness, server and browser: ${percent(summary.validOnly)}.`,
    '',
    '| task | status | steps | calls | errors | reward | time |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(failures.length > 0 ? ['## What did not pass', '', ...failures] : []),
  ].join('\n');
}

function failure(result: EpisodeResult): string {
  const last = result.lastToolCall;
  return [
    `### ${result.taskId}: ${result.status}`,
    '',
    `${result.reason} Outcome class: ${result.outcome}. Final URL: ${result.finalUrl || 'none'}.`,
    ...(last ? ['', `Last call: \`${last.tool}\` \`${JSON.stringify(last.arguments)}\``] : []),
    ...(result.failedContract ? ['', ...explain(result.failedContract).map((sentence) => `- ${sentence}`)] : []),
    '',
  ].join('\n');
}

function percent({ passed, of, rate, interval }: Rate): string {
  if (rate === null) return 'no episodes';
  const { low, high } = interval;
  return `${passed}/${of} = ${(rate * 100).toFixed(0)} %, 95 % interval ${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)} %`;
}
