/** Which of the tasks are run. Each choice narrows what the ones before it have left; the order of the tasks stays. */
import type { LoadedTask } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { matchesName } from './match-name.ts';
import { sampleOf } from './sample.ts';
import { type Shard, shardOf } from './shard.ts';

export interface TaskSelection {
  /** Only these tasks, by their id. */
  readonly only?: readonly string[] | undefined;
  /** Only tasks that have one of these tags, and only those of these categories. */
  readonly tags?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** Only tasks whose id fits one of these: a part of it, or with `*` the whole of it. */
  readonly filter?: readonly string[] | undefined;
  /** Only these, where they are still there: what did not pass in an earlier run. */
  readonly lastFailed?: readonly string[] | undefined;
  /** So many tasks, drawn by the seed. */
  readonly sample?: number | undefined;
  readonly seed?: number | undefined;
  /** The first so many. */
  readonly limit?: number | undefined;
  /** One part of the tasks, after all other choices. */
  readonly shard?: Shard | undefined;
}

/** All that were chosen, and of these the ones of the shard. */
export interface ChosenTasks {
  readonly all: LoadedTask[];
  readonly run: LoadedTask[];
}

export function chooseTasks(tasks: LoadedTask[], selection: TaskSelection): ChosenTasks {
  const { filter, lastFailed, sample, seed = 0, limit, shard } = selection;
  let all = named(tasks, selection);
  if (filter !== undefined) all = all.filter(({ task }) => filter.some((pattern) => matchesName(task.id, pattern)));
  if (all.length === 0 && tasks.length > 0)
    throw usage('No task fits all that was asked for.', 'Leave out --task, --tag, --category or --filter.');
  if (lastFailed !== undefined) {
    all = all.filter(({ task }) => lastFailed.includes(task.id));
    if (all.length === 0)
      throw usage('None of these tasks failed in the last run. Nothing was run.', 'Leave out --last-failed.');
  }
  if (sample !== undefined) all = sampleOf(all, ({ task }) => task.id, sample, seed);
  if (limit !== undefined) all = all.slice(0, limit);
  return { all, run: shard === undefined ? all : shardOf(all, shard) };
}

/** A name that no task has is a mistake. */
function named(tasks: LoadedTask[], { only, tags, categories }: TaskSelection): LoadedTask[] {
  const asked = [
    { what: 'task', wanted: only, of: ({ id }: LoadedTask['task']) => [id] },
    { what: 'tag', wanted: tags, of: ({ tags: own = [] }: LoadedTask['task']) => own },
    { what: 'category', wanted: categories, of: ({ category }: LoadedTask['task']) => (category ? [category] : []) },
  ];
  let chosen = tasks;
  for (const { what, wanted, of } of asked) {
    if (wanted === undefined) continue;
    const known = new Set(tasks.flatMap(({ task }) => of(task)));
    const missing = wanted.find((name) => !known.has(name));
    if (missing !== undefined)
      throw usage(
        what === 'task' ? `There is no task "${missing}".` : `No task has the ${what} "${missing}".`,
        known.size === 0 ? `No task has a ${what}.` : `There are: ${[...known].join(', ')}.`,
      );
    chosen = chosen.filter(({ task }) => of(task).some((name) => wanted.includes(name)));
  }
  return chosen;
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
