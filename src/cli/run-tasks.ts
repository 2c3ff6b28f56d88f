/** `waymark run`: tasks, an agent, a server; a folder with the journals and the reports. */
import path from 'node:path';
import { readTranscript, scripted } from '../agents/index.ts';
import { Browser, ensureBrowser, type FoundBrowser, Pool, reapOrphans } from '../chromium/index.ts';
import { type LoadedTask, loadTasks } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  type EpisodePlace,
  newRunId,
  openRunFolder,
  runSuite,
  type SuiteProgress,
  startSuiteFixture,
  writeReports,
  writeRunFile,
} from '../runs/index.ts';
import { profileOf } from '../tools/index.ts';
import { defineCommand, type FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { runFlags } from './run-flags.ts';
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
  ],
  run: (flags, terminal, operands) => runCommand(flags, terminal, operands),
});

export async function runCommand(
  flags: FlagValues<typeof runFlags>,
  terminal: Terminal,
  places: readonly string[],
): Promise<ExitCode> {
  const started = new Date();
  const tasks = withCaps(choose(await loadTasks(places), flags.task), flags);
  const profile = profileOf(flags.server === undefined ? 'embedded' : serverChoice(flags.server));
  const agentKind = flags.agent ?? 'scripted';
  if (agentKind !== 'scripted' && agentKind !== 'mock') {
    throw usage(`There is no agent "${agentKind}".`, 'Agents are: scripted (also called mock).');
  }
  const transcripts = new Map(tasks.map((task) => [task.task.id, transcriptOf(task)]));
  const isolation = flags.isolation ?? 'context';
  if (isolation !== 'context' && isolation !== 'process') throw usage('--isolation is "context" or "process".');
  const concurrency = count(flags.concurrency, 'concurrency') ?? 1;
  const trials = count(flags.trials, 'trials') ?? 1;
  const say = flags.json ? () => {} : (line: string) => terminal.err(`${line}\n`);

  const reaped = reapOrphans();
  if (reaped.length > 0)
    say(`cleaned up after ${reaped.length} browser${reaped.length === 1 ? '' : 's'} of a killed run`);
  const browser = isAddress(flags.browser) ? undefined : ensureBrowser(say, { wanted: flags.browser });
  const runId = newRunId(started);
  const folder = openRunFolder(path.resolve(terminal.cwd, flags.out ?? path.join('.waymark', 'runs', runId)), runId);
  await using fixture = await startSuiteFixture(places);
  await using pool = new Pool({
    slots: concurrency,
    isolation,
    start: () => startBrowser(flags.browser, browser, fixture.resolverRules),
  });
  const stop = interruptible(say);
  const record = (planned: readonly EpisodePlace[], endedAt?: Date): void =>
    writeRunFile(folder.root, {
      format: 'waymark.run.v1',
      runId,
      startedAt: started.toISOString(),
      ...(endedAt ? { endedAt: endedAt.toISOString() } : {}),
      episodes: planned.map((place) => ({
        folder: path.relative(folder.root, place.folder),
        oracleSteps: transcripts.get(place.task.task.id)?.moves.length ?? 0,
        ...(place.failed === undefined ? {} : { failed: place.failed }),
      })),
    });
  try {
    const places_ = await runSuite({
      tasks,
      onPlanned: (planned) => record(planned),
      profile,
      pool,
      folder,
      isolation,
      trials,
      concurrency,
      freshServer: flags['fresh-server'] === true,
      untilDone: flags['until-done'] === true,
      screenshots: flags['no-screenshots'] !== true,
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
    record(places_, new Date());
    const { report } = await writeReports(folder.root);
    const notBegun = places_.filter(({ failed }) => failed !== undefined);
    for (const { task, failed } of notBegun) terminal.err(`${task.task.id} could not be begun: ${failed}\n`);
    if (flags.json) terminal.out(`${JSON.stringify({ ...report, folder: folder.root }, null, 2)}\n`);
    else terminal.out(summary(report.summary.passed, places_.length, folder.root, terminal));
    if (notBegun.length > 0 || stop.signal.aborted) return EXIT.harness;
    return report.summary.passed === places_.length ? EXIT.ok : EXIT.checkFailed;
  } finally {
    stop.end();
  }
}

function choose(tasks: LoadedTask[], id: string | undefined): LoadedTask[] {
  if (id === undefined) return tasks;
  const chosen = tasks.filter(({ task }) => task.id === id);
  if (chosen.length > 0) return chosen;
  throw usage(`There is no task "${id}".`, `There are: ${tasks.map(({ task }) => task.id).join(', ')}.`);
}

/** Caps from the command line stand above the task's own; what was run is in the journal. */
function withCaps(tasks: LoadedTask[], flags: FlagValues<typeof runFlags>): LoadedTask[] {
  const maxSteps = count(flags['max-steps'], 'max-steps');
  const maxDurationMs = count(flags['max-duration-ms'], 'max-duration-ms');
  return tasks.map((loaded) => ({
    ...loaded,
    task: {
      ...loaded.task,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
    },
  }));
}

function transcriptOf({ task, folder, source }: LoadedTask) {
  if (task.oracle === undefined) {
    throw usage(
      `${source} has no oracle, which the scripted agent replays.`,
      'Give the task an "oracle": the path of a transcript.',
    );
  }
  return readTranscript(path.resolve(folder, task.oracle));
}

/** A name, or the JSON of a configuration. */
function serverChoice(given: string): Parameters<typeof profileOf>[0] {
  if (!given.trimStart().startsWith('{')) return given;
  try {
    return JSON.parse(given);
  } catch {
    throw usage('--server is neither a name nor JSON.', 'See docs/reference/servers.md.');
  }
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
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    signal: controller.signal,
    end: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

function progressLine({ done, total, taskId, trial, status, reason }: SuiteProgress, { paint }: Terminal): string {
  const mark = status === 'passed' ? paint('green', 'passed') : paint('red', status);
  return `${String(done).padStart(String(total).length)}/${total}  ${taskId}${trial > 1 ? ` (trial ${trial})` : ''}  ${mark}${status === 'passed' ? '' : `  ${reason.split('\n')[0]}`}`;
}

function summary(passed: number, total: number, root: string, { paint }: Terminal): string {
  const line = `${passed} of ${total} passed`;
  return `${paint('bold', passed === total ? paint('green', line) : paint('red', line))}\nreport: ${path.join(root, 'report.html')}\n`;
}

function count(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1) return value;
  throw usage(`--${flag} takes a whole number from 1, but got "${given}".`);
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
