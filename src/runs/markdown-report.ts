/** `report.md`: the run for people who read text. */

import { explain } from '../contracts/index.ts';
import { someOf } from '../errors/index.ts';
import type { EpisodeResult } from '../events/index.ts';
import type { Rate } from '../metrics/index.ts';
import type { RunReport } from './report.ts';
import { runWarnings } from './run-warnings.ts';

/** `earlier`: folders of attempts that were cut off and run anew. Paths are relative to the run's folder. */
export function markdownReport(
  report: RunReport,
  results: readonly EpisodeResult[],
  earlier: readonly string[] = [],
): string {
  const { summary, server, browser } = report;
  const rows = results.map(
    (r) =>
      `| ${r.taskId}${r.trial > 1 ? ` (trial ${r.trial})` : ''} | ${r.status} | ${r.steps} | ${r.toolCalls} | ${r.openchromeErrors} | ${r.reward ? r.reward.sum.toFixed(2) : '–'} | ${tokens(r)} | ${(r.durationMs / 1000).toFixed(1)} s |`,
  );
  const failures = results.filter(({ success }) => !success).map(failure);
  return [
    `# Run ${report.runId}`,
    '',
    `Agent ${report.agent}, server ${server.name} ${server.version} (${server.transport}, isolation: ${server.isolation}), ${browser.product} (${browser.kind}).`,
    '',
    `**${summary.passed} of ${summary.episodes} passed** (${percent(summary.strict)}); not counting faults of harness, server and browser: ${percent(summary.validOnly)}.`,
    '',
    '| task | status | steps | calls | errors | reward | tokens read / written | time |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...(failures.length > 0 ? ['## What did not pass', '', ...failures] : []),
    ...warningsOf(results),
    ...(earlier.length > 0
      ? [
          '## Earlier attempts',
          '',
          'Cut off and run anew; kept.',
          '',
          ...earlier.map((folder) => `- \`${folder}\``),
          '',
        ]
      : []),
    '## Files',
    '',
    '| task | journal | ledger | metadata |',
    '|---|---|---|---|',
    ...results.map(files),
    '',
  ].join('\n');
}

/** Estimates, of what the tools returned and of what the agent called. */
function tokens({ tokens: counted }: EpisodeResult): string {
  return counted === undefined ? '–' : `${counted.perObservation.total} / ${counted.perCall.total}`;
}

function warningsOf(results: readonly EpisodeResult[]): string[] {
  const warnings = runWarnings(results);
  if (warnings.length === 0) return [];
  return ['## Warnings', '', ...warnings.map(({ text, taskIds }) => `- ${text} (${someOf(taskIds)})`), ''];
}

function failure(result: EpisodeResult): string {
  const last = result.lastToolCall;
  return [
    `### ${result.taskId}: ${result.status}`,
    '',
    `${result.reason} Outcome class: ${result.outcome}. Final URL: ${result.finalUrl || 'none'}.`,
    ...(last ? ['', `Last call: \`${last.tool}\` \`${JSON.stringify(last.arguments)}\``] : []),
    ...(result.failedContract ? ['', ...explain(result.failedContract).map(listed)] : []),
    '',
  ].join('\n');
}

/** `explain` puts children two spaces further in: as far as a nested list wants them. */
function listed(line: string): string {
  const sentence = line.trimStart();
  return `${line.slice(0, line.length - sentence.length)}- ${sentence}`;
}

function files({ taskId, trial, artifacts: { eventsJsonl, ledgerJsonl, metadataJson } }: EpisodeResult): string {
  const cells = [eventsJsonl, ledgerJsonl, metadataJson].map((file) => (file === undefined ? '–' : `\`${file}\``));
  return `| ${taskId}${trial > 1 ? ` (trial ${trial})` : ''} | ${cells.join(' | ')} |`;
}

function percent({ passed, of, rate, interval }: Rate): string {
  if (rate === null) return 'no episodes';
  const { low, high } = interval;
  return `${passed}/${of} = ${(rate * 100).toFixed(0)} %, 95 % interval ${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)} %`;
}
