/** The flags of `waymark run` that choose what is run, and those that only show it. */
import type { TaskChoices } from '../runs/tasks.ts';
import { lastFailed, parseShard, runsFolder } from '../runs/tasks.ts';
import type { Flag, FlagValues } from './command.ts';
import { count, wholeNumber } from './number-flag.ts';
import { seedsFlag } from './task-instances.ts';

export const choosingFlags = {
  task: { type: 'string', isList: true, value: '<id,…>', about: 'only these tasks; may be given several times' },
  tag: { type: 'string', isList: true, value: '<tag,…>', about: 'only tasks that have one of these tags' },
  category: { type: 'string', isList: true, value: '<name,…>', about: 'only tasks of these categories' },
  filter: {
    type: 'string',
    isList: true,
    value: '<text,…>',
    about: 'only tasks whose id contains one of these texts; with * the whole id must fit (shop-*)',
  },
  'last-failed': { type: 'boolean', about: 'only tasks that did not pass in the newest run in .waymark/runs' },
  seeds: seedsFlag,
  sample: { type: 'string', value: '<n>', about: 'so many of these tasks, drawn by --seed' },
  seed: { type: 'string', value: '<n>', about: 'of --sample: the same seed draws the same tasks; default 0' },
  limit: { type: 'string', value: '<n>', about: 'no more than so many tasks, the first ones' },
  shard: {
    type: 'string',
    value: '<i/n>',
    about: 'the i-th of n parts of the tasks, after all other choices; waymark merge joins the runs',
  },
  list: { type: 'boolean', about: 'only list the tasks that would be run' },
  preview: {
    type: 'boolean',
    about:
      'only print the plan: episodes, workers, caps, worst-case steps, time and cost; starts no browser and no model',
  },
} as const satisfies Record<string, Flag>;

/** In the order in which they narrow each other. */
export async function selectionOf(
  flags: FlagValues<typeof choosingFlags>,
  cwd: string,
): Promise<
  Pick<TaskChoices, 'only' | 'tags' | 'categories' | 'filter' | 'lastFailed' | 'sample' | 'seed' | 'limit' | 'shard'>
> {
  return {
    only: flags.task?.split(','),
    tags: flags.tag?.split(','),
    categories: flags.category?.split(','),
    filter: flags.filter?.split(','),
    lastFailed: flags['last-failed'] ? await lastFailed(runsFolder(cwd)) : undefined,
    sample: count(flags.sample, 'sample'),
    seed: wholeNumber(flags.seed, 'seed'),
    limit: count(flags.limit, 'limit'),
    shard: flags.shard === undefined ? undefined : parseShard(flags.shard),
  };
}
