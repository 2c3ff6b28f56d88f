/** `waymark run --watch`: the tasks, and then again and again those whose files have changed, each time as a new run. */
import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WaymarkError } from '../errors/index.ts';
import { resolveRun, type TaskRun } from '../runs/tasks.ts';
import type { FlagValues } from './command.ts';
import type { ExitCode } from './exit-code.ts';
import { reportError } from './report-error.ts';
import { runChoices } from './run-choices.ts';
import type { runFlags } from './run-flags.ts';
import { runTasks } from './run-tasks.ts';
import type { Terminal } from './terminal.ts';

/** An editor writes a file in several steps. */
const SETTLE_MS = 150;

type Flags = FlagValues<typeof runFlags>;

export async function watchTasks(
  flags: Flags,
  terminal: Terminal,
  places: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  for (const flag of ['out', 'resume', 'list', 'preview', 'json'] as const)
    if (flags[flag])
      throw new WaymarkError({
        code: 'usage_bad_value',
        message: `--watch and --${flag} can’t be combined: each change is a run of its own.`,
      });
  const resolved = async (): Promise<TaskRun> => resolveRun(await runChoices(flags, places, terminal));
  // Before the first run: what is changed while it goes on is run next.
  using changes = new Changes(places.map((place) => path.resolve(terminal.cwd, place)));
  let known = versionsOf(await resolved());
  let code = await runTasks(flags, terminal, places, signal);
  while (!signal.aborted) {
    terminal.err('waiting for changes; Ctrl-C ends it\n');
    if (!(await changes.next(signal))) break;
    try {
      const now = versionsOf(await resolved());
      const changed = [...now].filter(([id, version]) => known.get(id) !== version).map(([id]) => id);
      known = now;
      if (changed.length > 0) code = await runTasks(onlyOf(flags, changed), terminal, places, signal);
    } catch (thrown) {
      // A file that is being edited is often wrong for a while.
      code = reportError(thrown, { json: false, verbose: false }, terminal);
    }
  }
  return code;
}

/** The tasks that have changed were chosen already. */
function onlyOf(flags: Flags, ids: readonly string[]): Flags {
  const {
    tag: _tag,
    category: _category,
    filter: _filter,
    sample: _sample,
    limit: _limit,
    shard: _shard,
    ...rest
  } = flags;
  const { 'last-failed': _failed, ...others } = rest;
  return { ...others, task: ids.join(','), new: true };
}

/** All inputs that are of one task: the task itself, its caps, what the agent is given for it. */
function versionsOf({ plan, tasks }: TaskRun): Map<string, string> {
  const { of } = plan.inputs;
  const names = ['the task', 'maxSteps of', 'maxDurationMs of', 'what the agent is given for'];
  return new Map([...tasks.keys()].map((id) => [id, JSON.stringify(names.map((name) => of[`${name} ${id}`]))]));
}

/** Changes of files below folders, and in the folders of files. */
class Changes implements Disposable {
  readonly #watchers: FSWatcher[];
  #changed = Promise.withResolvers<void>();

  constructor(places: readonly string[]) {
    const folders = new Set(places.map((place) => (statSync(place).isDirectory() ? place : path.dirname(place))));
    this.#watchers = [...folders].map((folder) => watch(folder, { recursive: true }, () => this.#changed.resolve()));
  }

  /** Resolves when something has changed since the last call; false where the command is ended. */
  async next(signal: AbortSignal): Promise<boolean> {
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve(), { once: true });
    if (signal.aborted) return false;
    await Promise.race([this.#changed.promise, ended.promise]);
    if (signal.aborted) return false;
    await wait(SETTLE_MS);
    this.#changed = Promise.withResolvers<void>();
    return true;
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
