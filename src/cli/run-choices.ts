/** What a `waymark run` was asked for: tasks with their caps and transcripts, server, agent. All of it is checked before anything starts. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readTranscript, type Transcript } from '../agents/index.ts';
import { type LoadedTask, loadTasks, TASK_LIMITS } from '../cases/index.ts';
import { readSecrets } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { isRun, type RunInputs, runInputs } from '../runs/index.ts';
import { profileOf, type ServerProfile } from '../tools/index.ts';
import type { FlagValues } from './command.ts';
import type { runFlags } from './run-flags.ts';
import { version } from './version.ts';

type Flags = FlagValues<typeof runFlags>;

export interface RunChoices {
  tasks: LoadedTask[];
  transcripts: ReadonlyMap<string, Transcript>;
  profile: ServerProfile;
  isolation: 'context' | 'process';
  concurrency: number;
  trials: number;
  inputs: RunInputs;
}

/** Operands are tasks; with --resume, the one that is a run is the run to go on with. */
export function splitOperands(
  operands: readonly string[],
  isResumed: boolean,
): { places: readonly string[]; run: string | undefined } {
  const run = isResumed ? operands.find((place) => existsSync(place) && isRun(place)) : undefined;
  return { places: operands.filter((place) => place !== run), run };
}

export async function runChoices(
  flags: Flags,
  places: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<RunChoices> {
  const tasks = withCaps(choose(await loadTasks(places), flags.task), flags);
  const server = flags.server === undefined ? 'embedded' : serverChoice(flags.server);
  const profile = profileOf(server);
  const agent = flags.agent ?? 'scripted';
  if (agent !== 'scripted' && agent !== 'mock') {
    throw usage(`There is no agent "${agent}".`, 'Agents are: scripted (also called mock).');
  }
  const transcripts = new Map(tasks.map((task) => [task.task.id, transcriptOf(task)]));
  const isolation = flags.isolation ?? 'context';
  if (isolation !== 'context' && isolation !== 'process') throw usage('--isolation is "context" or "process".');
  const concurrency = count(flags.concurrency, 'concurrency') ?? 1;
  const trials = count(flags.trials, 'trials') ?? 1;
  for (const { task } of tasks) readSecrets(task, env);
  const inputs = runInputs({
    tasks,
    agent: 'scripted',
    agentOf: ({ task }) => transcripts.get(task.id),
    server: profile.name,
    serverOf: server,
    settings: {
      waymark: version(),
      browser: flags.browser ?? 'the best that is found',
      isolation,
      trials,
      'fresh-server': flags['fresh-server'] === true,
      'until-done': flags['until-done'] === true,
      'no-screenshots': flags['no-screenshots'] === true,
      'open-gates': flags['open-gates'] === true,
    },
  });
  return { tasks, transcripts, profile, isolation, concurrency, trials, inputs };
}

function choose(tasks: LoadedTask[], id: string | undefined): LoadedTask[] {
  if (id === undefined) return tasks;
  const chosen = tasks.filter(({ task }) => task.id === id);
  if (chosen.length > 0) return chosen;
  throw usage(`There is no task "${id}".`, `There are: ${tasks.map(({ task }) => task.id).join(', ')}.`);
}

/** Caps from the command line stand above the task's own, and not above the largest there are; what was run is in the journal. */
function withCaps(tasks: LoadedTask[], flags: Flags): LoadedTask[] {
  const maxSteps = count(flags['max-steps'], 'max-steps', TASK_LIMITS.maxSteps);
  const maxDurationMs = count(flags['max-duration-ms'], 'max-duration-ms', TASK_LIMITS.maxDurationMs);
  return tasks.map((loaded) => ({
    ...loaded,
    task: {
      ...loaded.task,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
    },
  }));
}

function transcriptOf({ task, folder, source }: LoadedTask): Transcript {
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
    // Where exactly the JSON is broken matters less than that it must be JSON.
    throw usage('--server is neither a name nor JSON.', 'See docs/reference/servers.md.');
  }
}

function count(given: string | undefined, flag: string, most?: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? 'from 1' : `from 1 to ${most.toLocaleString('en')}`;
  throw usage(`--${flag} takes a whole number ${range}, but got "${given}".`);
}

function usage(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, ...(hint === undefined ? {} : { hint }) });
}
