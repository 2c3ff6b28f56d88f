/** JUnit XML of a run, for the test views of CI systems: what the agent did not do is a failure, what was not its doing an error. */
import type { EpisodeResult } from '../../events/index.ts';
import { isAgentOutcome } from '../../metrics/index.ts';
import type { ReportHead } from '../report.ts';
import { escapeXml } from './escape-xml.ts';

export interface ReportedRun extends ReportHead {
  readonly episodes: readonly EpisodeResult[];
}

export function junitReport(report: ReportedRun): string {
  const { summary, runId, startedAt, durationMs, agent, server } = report;
  const cases = report.episodes.map(testCase);
  // What has no journal has no result: it stands by its name.
  const { notBegun = [], pending = [] } = summary.unfinished ?? {};
  const further = [
    ...notBegun.map((name) => ({
      kind: 'error',
      xml: empty(name, '<error message="The episode could not be begun."/>'),
    })),
    ...pending.map((name) => ({
      kind: 'skipped',
      xml: empty(name, '<skipped message="The run ended before its turn."/>'),
    })),
  ];
  const all = [...cases, ...further];
  const count = (wanted: string): number => all.filter(({ kind }) => kind === wanted).length;
  const totals = `tests="${all.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(durationMs)}"`;
  const name = escapeXml(`${agent} on ${server.name}`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="waymark" ${totals}>
  <testsuite name="${name}" id="${escapeXml(runId)}" timestamp="${startedAt}" ${totals}>
${all.map(({ xml }) => xml).join('\n')}
  </testsuite>
</testsuites>
`;
}

function testCase(result: EpisodeResult): { kind: string; xml: string } {
  const { taskId, trial, outcome, reason, success, durationMs, steps, interrupted, attempt } = result;
  const kind = interrupted ? 'skipped' : success ? 'passed' : isAgentOutcome(outcome) ? 'failure' : 'error';
  const head = `    <testcase classname="${escapeXml(taskId)}" name="${escapeXml(nameOf(taskId, trial))}" time="${seconds(durationMs)}">`;
  const properties = Object.entries({ outcome, steps, trial, attempt })
    .map(([name, value]) => `<property name="${name}" value="${escapeXml(String(value))}"/>`)
    .join('');
  const why =
    kind === 'passed'
      ? ''
      : kind === 'skipped'
        ? '<skipped message="The attempt was cut off."/>'
        : `<${kind} type="${outcome}" message="${escapeXml(reason.split('\n')[0] ?? '')}">${escapeXml(reason)}\n${escapeXml(result.artifacts.eventsJsonl)}</${kind}>`;
  return { kind, xml: `${head}<properties>${properties}</properties>${why}</testcase>` };
}

function empty(name: string, inner: string): string {
  return `    <testcase classname="${escapeXml(name)}" name="${escapeXml(name)}" time="0">${inner}</testcase>`;
}

function nameOf(taskId: string, trial: number): string {
  return trial > 1 ? `${taskId} (trial ${trial})` : taskId;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
