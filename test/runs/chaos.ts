/**
 * Kills a run again and again, each time with its whole process tree, and starts the same command again, until so many kills are made and
 * the last run is whole. Each whole run is looked at: its cells and its journals; and after each command that has ended by itself, locks and
 * what is left on the machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readJournal } from '../../src/journal/index.ts';
import { seededRandom } from '../../src/metrics/index.ts';
import { descendantsOf, isRunning } from '../cli/descendants.ts';
import { CommandSandbox, NOTHING_LEFT, readReport, taskFile } from '../episode/command.ts';

const MAIN = path.resolve(import.meta.dirname, '../../src/cli/main.ts');
/** Short ones, each with another part of the browser in it. */
const TASKS = ['example-h1', 'keys-chord', 'list-rename', 'local-form-submit', 'popup-message', 'shadow-deep'];
/** A command that says nothing for so long hangs. */
const SILENT_MS = 300_000;
/** The share of kills that come after the last episode: while the reports are written, or when they are. */
const AT_END = 0.15;

export interface ChaosChoices {
  readonly kills: number;
  readonly tasks: number;
  readonly trials: number;
  readonly concurrency: number;
  readonly seed: number;
  /** A kill comes after at most so many episodes of its command. */
  readonly mostEpisodes: number;
  readonly onLine?: (line: string) => void;
}

export interface ChaosCounts {
  kills: number;
  /** Kills before the first episode of their command had ended. */
  earlyKills: number;
  /** Kills after the last episode of a run. */
  endKills: number;
  /** Kills between the end of a run, with its reports, and the end of its process: the same command then begins the next run. */
  lateKills: number;
  commands: number;
  /** Runs that were finished, each after some kills. */
  runs: number;
  episodes: number;
  /** Attempts that a kill cut off. */
  cutOff: number;
  /** Last lines that a kill tore. */
  torn: number;
}

export async function chaos(choices: ChaosChoices): Promise<ChaosCounts> {
  const random = seededRandom(choices.seed);
  using sandbox = new CommandSandbox();
  const counts: ChaosCounts = {
    kills: 0,
    earlyKills: 0,
    endKills: 0,
    lateKills: 0,
    commands: 0,
    runs: 0,
    episodes: 0,
    cutOff: 0,
    torn: 0,
  };
  for (;;) {
    const mayKill = counts.kills < choices.kills;
    const isAtEnd = random() < AT_END;
    const after = isAtEnd ? 'all' : Math.floor(random() * (choices.mostEpisodes + 1));
    // Within the first episodes the moments of the start matter (modules, the browser, the fixture), at the end those of the reports.
    const delayMs = Math.floor(random() * (after === 0 ? 3_000 : isAtEnd ? 1_000 : 400));
    const { isKilled, code, said } = await command(sandbox, choices, mayKill ? { after, delayMs } : undefined);
    counts.commands++;
    if (!isKilled && code !== 0) throw new Error(`The run ended by itself with ${code}:\n${said.slice(-2_000)}`);
    const finished = finishedRuns(sandbox);
    const isWhole = finished.length > counts.runs;
    equal('finished runs', finished.length, counts.runs + (isWhole || !isKilled ? 1 : 0));
    if (isKilled) {
      counts.kills++;
      if (after === 0) counts.earlyKills++;
      if (isAtEnd) counts.endKills++;
      if (isWhole) counts.lateKills++;
      choices.onLine?.(`kill ${counts.kills} of ${choices.kills}, after ${after} episodes and ${delayMs} ms`);
    } else nothingIsLeft(sandbox);
    if (isWhole) {
      const { cutOff, torn } = await lookAt(finished.at(-1) ?? '', choices);
      counts.runs++;
      counts.episodes += choices.tasks * choices.trials;
      counts.cutOff += cutOff;
      counts.torn += torn;
      choices.onLine?.(`run ${counts.runs} is whole: ${cutOff} attempts cut off`);
    }
    if (!isKilled && counts.kills >= choices.kills) return counts;
  }
}

interface Moment {
  /** How many episodes of the command have ended. */
  readonly after: number | 'all';
  readonly delayMs: number;
}

/** The same command each time, to its end or to the moment of its kill. */
async function command(
  sandbox: CommandSandbox,
  { tasks, trials, concurrency }: ChaosChoices,
  moment: Moment | undefined,
): Promise<{ isKilled: boolean; code: number | null; said: string }> {
  const files = TASKS.slice(0, tasks).map(taskFile);
  const flags = ['--trials', String(trials), '--concurrency', String(concurrency), '--no-screenshots'];
  const child = spawn(process.execPath, [MAIN, 'run', ...files, ...flags], {
    cwd: sandbox.folder,
    env: sandbox.env(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit', { signal: AbortSignal.timeout(SILENT_MS) });
  const reached = Promise.withResolvers<void>();
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    said += part;
    const ended = said.match(/^ *\d+\/\d+ {2}/gm) ?? [];
    const isReached =
      moment?.after === 'all' ? /^(\d+)\/\1 {2}/m.test(said) : ended.length >= (moment?.after ?? Infinity);
    if (isReached) reached.resolve();
  });
  if (moment?.after === 0) reached.resolve();
  const stopped = new AbortController();
  const killed = moment
    ? reached.promise
        .then(() => wait(moment.delayMs, undefined, { signal: stopped.signal }))
        .then(() => killTree(child.pid ?? 0))
    : undefined;
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  stopped.abort();
  const isKilled = signal === 'SIGKILL';
  if (isKilled) await killed;
  else killed?.catch(() => {});
  return { isKilled, code, said };
}

/** At once, as a machine that loses its power would: nobody in the tree sees another end. */
async function killTree(pid: number): Promise<void> {
  const tree = [pid, ...descendantsOf(pid)];
  for (const one of tree) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  while (tree.some(isRunning)) await wait(5);
}

function runsFolder({ folder }: CommandSandbox): string {
  return path.join(folder, '.waymark', 'runs');
}

/** Oldest first. The manifest is the last file of a run that is written. */
function finishedRuns(sandbox: CommandSandbox): string[] {
  const folder = runsFolder(sandbox);
  if (!existsSync(folder)) return [];
  const runs = readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name));
  return runs.filter((root) => existsSync(path.join(root, 'manifest.json')));
}

/** @throws where a lock, a process or a profile is left. */
function nothingIsLeft(sandbox: CommandSandbox): void {
  const files = readdirSync(runsFolder(sandbox), { recursive: true, encoding: 'utf8' });
  equal('locks', files.filter((name) => name.includes('run.lock')).join(), '');
  equal('what is left on the machine', JSON.stringify(sandbox.left()), JSON.stringify(NOTHING_LEFT));
}

/** @throws where an episode is lost or double, or a journal is damaged. */
async function lookAt(root: string, { tasks, trials }: ChaosChoices): Promise<{ cutOff: number; torn: number }> {
  const report = readReport(root);
  const wanted = TASKS.slice(0, tasks).flatMap((id) => Array.from({ length: trials }, (_, at) => `${id} ${at + 1}`));
  equal('cells of the report', report.episodes.map(({ taskId, trial }) => `${taskId} ${trial}`).join(), wanted.join());
  equal('episodes that passed', report.summary.passed, wanted.length);
  const cells = new Map<string, number>();
  let cutOff = 0;
  let torn = 0;
  for (const id of TASKS.slice(0, tasks)) {
    for (const name of readdirSync(path.join(root, 'episodes', id))) {
      const file = path.join(root, 'episodes', id, name, 'events.jsonl');
      const cell = `${id} ${/^trial-(\d+)/.exec(name)?.[1]}`;
      let last = '';
      // A folder without a journal was made in the very moment of the kill.
      if (existsSync(file)) for await (const event of readJournal(file, { onTorn: () => torn++ })) last = event.type;
      if (last === 'stop') cells.set(cell, (cells.get(cell) ?? 0) + 1);
      else cutOff++;
    }
  }
  equal('cells with one finished attempt', [...cells].filter(([, count]) => count === 1).length, wanted.length);
  return { cutOff, torn };
}

function equal<T>(what: string, is: T, expected: T): void {
  if (is !== expected) throw new Error(`${what}: ${String(is)}, and should be ${String(expected)}.`);
}
