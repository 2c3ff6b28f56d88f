/** The Markdown of a GitHub step summary: the rates, the classes, and the episodes that did not pass. GitHub takes 1 MiB: the list is bounded. */
import type { EpisodeResult } from '../../events/index.ts';
import type { Rate } from '../../metrics/index.ts';
import { cell } from '../markdown-cell.ts';
import { RECOVERY_NOTE, TEST_MODEL_NOTE } from '../report.ts';
import { unfinishedText } from '../run-coverage.ts';
import type { ReportedRun } from './junit.ts';

/** Rows of episodes that did not pass. */
const SHOWN = 100;

export function stepSummary(report: ReportedRun): string {
  const { summary, agent, server, browser, runId } = report;
  const failed = report.episodes.filter(({ success }) => !success);
  const left = unfinishedText(summary);
  const classes = Object.entries(summary.outcomes).map(([name, count]) => `${count} ${name}`);
  const lines = [
    `### ${summary.passed === summary.planned ? '✅' : '❌'} ${summary.passed} of ${summary.planned} passed`,
    '',
    `${cell(agent)} on ${cell(`${server.name} ${server.version}`)}, ${cell(browser.product)}; run \`${runId}\``,
    '',
    '| rate | passed | of | 95 % interval |',
    '|---|---|---|---|',
    rateRow('strict: everything that was planned', summary.strict),
    rateRow('valid only: without faults of harness, server and browser', summary.validOnly),
    '',
    ...(classes.length > 0 ? [`Outcomes: ${classes.join(', ')}.`, ''] : []),
    ...(left === undefined ? [] : [`${cell(left, 1_000)}.`, '']),
    ...(report.testModel ? [TEST_MODEL_NOTE, ''] : []),
    ...(report.recoverySearch ? [RECOVERY_NOTE, ''] : []),
  ];
  if (failed.length > 0) {
    lines.push('| episode | outcome | steps | reason |', '|---|---|---|---|', ...failed.slice(0, SHOWN).map(row));
    if (failed.length > SHOWN) lines.push('', `And ${failed.length - SHOWN} more.`);
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

function rateRow(name: string, { passed, of, rate, interval }: Rate): string {
  return `| ${name} | ${rate === null ? '–' : percent(rate)} | ${passed}/${of} | ${percent(interval.low)} to ${percent(interval.high)} |`;
}

function row({ taskId, trial, outcome, interrupted, steps, reason }: EpisodeResult): string {
  const name = trial > 1 ? `${taskId} (trial ${trial})` : taskId;
  return `| ${cell(name)} | ${interrupted ? 'interrupted' : outcome} | ${steps} | ${cell(reason)} |`;
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
