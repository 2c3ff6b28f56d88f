/** `waymark run`: tasks, an agent, a server; a folder with the journals and the reports. */
import path from 'node:path';
import { scripted } from '../agents/index.ts';
import { Browser, ensureBrowser, type FoundBrowser, Pool, reapOrphans } from '../chromium/index.ts';
import {
  type AttemptFolder,
  attemptFolders,
  lockRun,
  openRunFolder,
  planEpisodes,
  plannedAt,
  type RunFolder,
  runSuite,
  runWarnings,
  type SuiteProgress,
  startSuiteFixture,
  writeReports,
  writeRunFile,
} from '../runs/index.ts';
import { defineCommand, type FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { type RunChoices, runChoices, splitOperands } from './run-choices.ts';
import { runFlags } from './run-flags.ts';
import { type RunTarget, runTarget } from './run-target.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

export const runTasks = defineCommand({
  name: 'run',
  about: [
    'sends an agent through tasks and says whether it arrived.',
    'Writes journals, screenshots and reports into a folder. Exit code: 0 all passed, 1 some did not, 2 wrong usage or bad tasks, 3 the harness failed.',
  ].join('\n'),
  operands: { label: '<tasks…>', about: 'task files (.json, .jsonl, .ts) or folders of them' },
  flags: runFlags,
  examples: [
    { line: 'waymark run tasks/', does: 'all tasks of a folder, by their oracle transcripts, on the embedded tools' },
    {
      line: 'waymark run tasks/ --server playwright --concurrency 4',
      does: 'the same through @playwright/mcp, four at a time',
    },
    { line: 'waymark run tasks/ --task checkout --trials 5', does: 'one task five times' },
    {
      line: 'waymark run tasks/ --out runs/today --resume',
      does: 'go on after a kill or Ctrl-C: what has ended is kept, what was cut off is run anew',
    },
  ],
  run: (flags, terminal, operands) => runCommand(flags, terminal, operands),
});

export async function runCommand(
  flags: FlagValues<typeof runFlags>,
  terminal: Terminal,
  operands: readonly string[],
): Promise<ExitCode> {
  const { places: from, run } = splitOperands(operands, flags.resume === true);
  const choices = await runChoices(flags, from, terminal.env);
  const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);
  const where = { out: flags.out, resume: flags.resume === true, run };
  const target = runTarget(where, choices.inputs, terminal.cwd, new Date());
  const folder = openRunFolder(target.root, target.runId);
  using _lock = lockRun(folder.root);
  const places = await attemptFolders(folder, planEpisodes(choices.tasks, choices.trials));
  const open = places.filter(({ isFinished }) => !isFinished);
  if (target.isContinued)
    say(`run ${target.runId} goes on: ${places.length - open.length} of ${places.length} have ended`);
  // A run that is whole needs no browser to be reported.
  const stopped = open.length > 0 && (await runPlaces({ flags, terminal, from, choices, target, folder, places, say }));
  if (open.length > 0) record(target, choices, places, new Date());
  const { report, results } = await writeReports(folder.root);
  const warnings = runWarnings(results).length;
  const notBegun = places.filter(({ failed }) => failed !== undefined);
  for (const { task, failed } of notBegun) terminal.err(`${task.task.id} could not be begun: ${failed}\n`);
  if (flags.json) terminal.out(`${JSON.stringify({ ...report, folder: folder.root }, null, 2)}\n`);
  else terminal.out(summary(report.summary.passed, places.length, warnings, folder.root, terminal));
  if (notBegun.length > 0 || stopped) return EXIT.harness;
  return report.summary.passed === places.length ? EXIT.ok : EXIT.checkFailed;
}

interface Running {
  flags: FlagValues<typeof runFlags>;
  terminal: Terminal;
  /** Where the tasks came from: their fixture is there. */
  from: readonly string[];
  choices: RunChoices;
  target: RunTarget;
  folder: RunFolder;
  places: AttemptFolder[];
  say: (line: string) => void;
}

/** True where it was stopped from outside. */
async function runPlaces({ flags, terminal, from, choices, target, folder, places, say }: Running): Promise<boolean> {
  const { tasks, transcripts, profile, isolation, concurrency } = choices;
  const reaped = reapOrphans();
  if (reaped.length > 0)
    say(`cleaned up after ${reaped.length} browser${reaped.length === 1 ? '' : 's'} of a killed run`);
  const browser = isAddress(flags.browser) ? undefined : ensureBrowser(say, { wanted: flags.browser });
  await using fixture = await startSuiteFixture(from);
  await using pool = new Pool({
    slots: concurrency,
    isolation,
    start: () => startBrowser(flags.browser, browser, fixture.resolverRules),
  });
  const stop = interruptible(say);
  try {
    await runSuite({
      tasks,
      places,
      onPlanned: () => record(target, choices, places),
      profile,
      pool,
      folder,
      isolation,
      concurrency,
      freshServer: flags['fresh-server'] === true,
      untilDone: flags['until-done'] === true,
      screenshots: flags['no-screenshots'] !== true,
      allowGuarded: flags['open-gates'] === true,
      env: terminal.env,
      allowHosts: fixture.allowHosts,
      signal: stop.signal,
      environment: { waymark: version(), node: process.version, platform: `${process.platform} ${process.arch}` },
      agent: ({ task }) =>
        scripted({
          transcript: transcripts.get(task.id) ?? { format: 'waymark.transcript.v1', task: task.id, moves: [] },
          profile,
        }),
      onProgress: (progress) => say(progressLine(progress, terminal)),
      ...(isVerbose(flags, terminal)
        ? { onEvent: (event: unknown) => terminal.err(`${JSON.stringify(event)}\n`) }
        : {}),
    });
    return stop.signal.aborted;
  } finally {
    stop.end();
  }
}

/** Before the first episode, so that what a kill leaves can be reported and continued; and when nothing more will be run. */
function record(
  { root, runId, startedAt }: RunTarget,
  { transcripts, inputs }: RunChoices,
  places: readonly AttemptFolder[],
  endedAt?: Date,
): void {
  writeRunFile(root, {
    format: 'waymark.run.v1',
    runId,
    startedAt: startedAt.toISOString(),
    ...(endedAt ? { endedAt: endedAt.toISOString() } : {}),
    inputs,
    episodes: places.map((place) => {
      const oracleSteps = transcripts.get(place.task.task.id)?.moves.length ?? 0;
      return plannedAt(root, place, { oracleSteps, isOver: endedAt !== undefined });
    }),
  });
}

async function startBrowser(
  wanted: string | undefined,
  found: FoundBrowser | undefined,
  resolverRules: string | undefined,
): Promise<Browser> {
  if (!found) return Browser.connect(wanted ?? '');
  return Browser.launch({ browser: found, resolverRules });
}

function isAddress(browser: string | undefined): boolean {
  return /^(wss?|https?):\/\//.test(browser ?? '');
}

function isVerbose(flags: FlagValues<typeof runFlags>, terminal: Terminal): boolean {
  return ('verbose' in flags && flags.verbose === true) || terminal.env['OPENCHROME_BENCH_VERBOSE'] === '1';
}

/** Ctrl-C once: nothing new is begun, what runs is ended and written. Twice: at once; the exit hook ends the browsers. */
function interruptible(say: (line: string) => void): { signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const onSignal = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.harness);
    say('stopping; once more to stop at once');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  // The command line's own listeners end the process at once: until the run has ended, these stand in for them.
  const others = signals.map((signal) => ({ signal, listeners: process.listeners(signal) }));
  for (const signal of signals) process.removeAllListeners(signal).on(signal, onSignal);
  return {
    signal: controller.signal,
    end: () => {
      for (const { signal, listeners } of others) {
        process.off(signal, onSignal);
        for (const listener of listeners) process.on(signal, listener);
      }
    },
  };
}

function progressLine({ done, total, taskId, trial, status, reason }: SuiteProgress, { paint }: Terminal): string {
  const mark = status === 'passed' ? paint('green', 'passed') : paint('red', status);
  return `${String(done).padStart(String(total).length)}/${total}  ${taskId}${trial > 1 ? ` (trial ${trial})` : ''}  ${mark}${status === 'passed' ? '' : `  ${reason.split('\n')[0]}`}`;
}

function summary(passed: number, total: number, warnings: number, root: string, { paint }: Terminal): string {
  const line = `${passed} of ${total} passed`;
  const warned =
    warnings === 0
      ? ''
      : `${paint('yellow', `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`)}, see the report\n`;
  return `${paint('bold', passed === total ? paint('green', line) : paint('red', line))}\n${warned}report: ${path.join(root, 'report.html')}\n`;
}
