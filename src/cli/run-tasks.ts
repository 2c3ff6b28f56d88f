/** `waymark run <tasks…>`: tasks, an agent, a server; a folder with the journals and the reports. */
import path from 'node:path';
import { someOf } from '../errors/index.ts';
import {
  executeRun,
  FolderRunStore,
  type RunProgress,
  type RunSummary,
  resolveRun,
  runTarget,
  unfinishedText,
  writeReports,
} from '../runs/tasks.ts';
import type { FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { gradeLine } from './grade-counts.ts';
import { reportJson } from './report-json.ts';
import { runChoices, splitOperands } from './run-choices.ts';
import type { runFlags } from './run-flags.ts';
import type { Terminal } from './terminal.ts';

export async function runTasks(
  flags: FlagValues<typeof runFlags>,
  terminal: Terminal,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
  const { places, run: given } = splitOperands(operands, flags.resume === true);
  const resolved = await resolveRun(await runChoices(flags, places, terminal.env));
  const where = { out: flags.out, resume: flags.resume === true, run: given, cwd: terminal.cwd };
  const { root, run, isResumed } = runTarget(resolved, where);
  using store = new FolderRunStore(root);
  const { notBegun, isStopped } = await executeRun(run, {
    store,
    isResumed,
    signal,
    env: terminal.env,
    onGrade: ({ attempt, grade }) => say(gradeLine(attempt, grade, terminal)),
    onNote: say,
    onStart: ({ finished, total: all }) => {
      if (isResumed) say(`run ${run.plan.runId} is resumed: ${finished} of ${all} have ended`);
    },
    onProgress: (progress) => say(progressLine(progress, terminal)),
    ...(isVerbose(flags, terminal) ? { onEvent: (event: unknown) => terminal.err(`${JSON.stringify(event)}\n`) } : {}),
  });
  const { report, warnings } = await writeReports(root, { joinJournals: flags['join-journals'] });
  const { summary } = report;
  for (const { attempt, reason } of notBegun) terminal.err(`${attempt.caseId} could not be begun: ${reason}\n`);
  if (flags.json) terminal.out(reportJson(root));
  else terminal.out(summaryText(summary, { warnings: warnings.length, root }, terminal));
  if (notBegun.length > 0 || isStopped) return EXIT.harness;
  return summary.passed === summary.planned ? EXIT.ok : EXIT.checkFailed;
}

function isVerbose(flags: FlagValues<typeof runFlags>, terminal: Terminal): boolean {
  return ('verbose' in flags && flags.verbose === true) || terminal.env['OPENCHROME_BENCH_VERBOSE'] === '1';
}

function progressLine({ done, total, attempt, status, reason }: RunProgress, { paint }: Terminal): string {
  const { caseId, trial } = attempt;
  const mark = status === 'passed' ? paint('green', 'passed') : paint('red', status);
  return `${String(done).padStart(String(total).length)}/${total}  ${caseId}${trial > 1 ? ` (trial ${trial})` : ''}  ${mark}${status === 'passed' ? '' : `  ${reason.split('\n')[0]}`}`;
}

function summaryText(
  summary: RunSummary,
  { warnings, root }: { warnings: number; root: string },
  { paint }: Terminal,
): string {
  const { passed, planned, quarantined = [] } = summary;
  const line = `${passed} of ${planned} passed`;
  const left = unfinishedText(summary);
  const count = `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return [
    paint('bold', passed === planned ? paint('green', line) : paint('red', line)),
    ...(quarantined.length === 0
      ? []
      : [`${quarantined.length} quarantined, counted apart: ${someOf(quarantined.map(({ taskId }) => taskId))}`]),
    ...(left === undefined ? [] : [paint('yellow', left)]),
    ...(warnings === 0 ? [] : [`${paint('yellow', count)}, listed in the report`]),
    `report: ${path.join(root, 'report.html')}\n`,
  ].join('\n');
}
