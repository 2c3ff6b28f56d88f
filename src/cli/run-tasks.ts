/** `waymark run <tasks…>`: tasks, an agent, a server; a folder with the journals and the reports. */
import path from 'node:path';
import { someOf } from '../errors/index.ts';
import type { AttemptRef } from '../events/index.ts';
import {
  executeRun,
  FolderRunStore,
  type RunSummary,
  resolveRun,
  runTarget,
  unfinishedText,
  watchRunRequests,
  writeReports,
} from '../runs/tasks.ts';
import type { FlagValues } from './command.ts';
import { inputEnd } from './end-with-input.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { gradeLine } from './grade-counts.ts';
import { RunDisplay } from './progress/run-display.ts';
import { reportJson } from './report-json.ts';
import { parseReporters, type Reporters, writeDocuments } from './reporters.ts';
import { runChoices, splitOperands } from './run-choices.ts';
import type { runFlags } from './run-flags.ts';
import { startRunUi } from './run-ui.ts';
import { showPlan } from './show-plan.ts';
import type { Terminal } from './terminal.ts';

export async function runTasks(
  flags: FlagValues<typeof runFlags>,
  terminal: Terminal,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const reporters = parseReporters(flags.reporter, terminal, flags);
  const { places, run: given } = splitOperands(operands, flags.resume === true);
  const choices = await runChoices(flags, places, terminal);
  const resolved = await resolveRun(choices);
  if (flags.list || flags.preview)
    return showPlan(resolved, { ...choices, list: flags.list, json: flags.json }, terminal);
  const continues = flags.new !== true;
  const where = { out: flags.out, resume: flags.resume === true, run: given, cwd: terminal.cwd, continues };
  const { root, run, isResumed, isEnded } = runTarget(resolved, where);
  using store = new FolderRunStore(root);
  const parentGone = new AbortController();
  void inputEnd(terminal.env)?.then(() => parentGone.abort());
  using requests = watchRunRequests(root);
  await using ui = flags.ui ? await startRunUi(root) : undefined;
  const { notBegun, isStopped, failedFast } = await showing(flags, reporters, terminal, (display, onEvent) =>
    executeRun(run, {
      store,
      isResumed,
      isEnded,
      signal: AbortSignal.any([signal, requests.signal, parentGone.signal]),
      steering: requests,
      retryFailed: flags['retry-failed'],
      env: terminal.env,
      retries: choices.retries,
      retryOn: choices.retryOn,
      failFast: flags['fail-fast'],
      onGrade: ({ attempt, grade }) => display.say(gradeLine(attempt, grade, terminal)),
      onNote: (note) => display.say(note),
      onStart: ({ finished, total: all }) => {
        if (isResumed) display.say(`run ${run.plan.runId} is resumed: ${finished} of ${all} have ended`);
        display.start({ finished, total: all });
        ui?.show(run.plan.runId, terminal);
      },
      onProgress: (progress) => display.ended(progress),
      onEvent,
    }),
  );
  for (const { attempt, reason } of notBegun) terminal.err(`${attempt.caseId} could not be begun: ${reason}\n`);
  if (failedFast && !flags.json)
    terminal.err(`nothing more was begun after ${failedFast.caseId} did not pass (--fail-fast)\n`);
  const code = await tellReports(root, flags, reporters, terminal);
  return notBegun.length > 0 || isStopped ? EXIT.harness : code;
}

/** Writes the reports of a run and says what is in them. */
export async function tellReports(
  root: string,
  flags: Pick<FlagValues<typeof runFlags>, 'json' | 'join-journals'>,
  reporters: Reporters,
  terminal: Terminal,
): Promise<ExitCode> {
  const { report, warnings } = await writeReports(root, { joinJournals: flags['join-journals'] });
  const { summary } = report;
  if (flags.json) terminal.out(reportJson(root));
  else {
    const text = summaryText(summary, { warnings: warnings.length, root }, terminal);
    if (reporters.takesOutput) terminal.err(text);
    else terminal.out(text);
  }
  writeDocuments(root, reporters, terminal);
  return summary.passed === summary.planned ? EXIT.ok : EXIT.checkFailed;
}

/** The display is gone before the summary is printed. */
export async function showing<T>(
  flags: FlagValues<typeof runFlags>,
  { display: chosen }: Reporters,
  terminal: Terminal,
  execute: (display: RunDisplay, onEvent: (event: unknown, attempt: AttemptRef) => void) => Promise<T>,
): Promise<T> {
  const isTold = isVerbose(flags, terminal);
  // Events and a line that is drawn again would be in each other's way.
  const kind = flags.json ? 'none' : (chosen ?? (terminal.screen && !isTold ? 'line' : 'list'));
  using display = new RunDisplay(kind, terminal);
  return await execute(display, (event, attempt) => {
    if (isTold) terminal.err(`${JSON.stringify(event)}\n`);
    display.onEvent(event, attempt);
  });
}

function isVerbose(flags: FlagValues<typeof runFlags>, terminal: Terminal): boolean {
  return ('verbose' in flags && flags.verbose === true) || terminal.env['OPENCHROME_BENCH_VERBOSE'] === '1';
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
