/** `--shard i/n`: a part of the tasks, so that several machines share a run. Tasks are dealt in turn, so that neighbours (often alike) are spread. */
import { WaymarkError } from '../../errors/index.ts';

export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

const MAX_SHARDS = 10_000;

/** @throws WaymarkError usage_bad_value for anything that is not `i/n`. */
export function parseShard(given: string): Shard {
  const [, first, second] = /^(\d{1,6})\/(\d{1,6})$/.exec(given) ?? [];
  const shard = { index: Number(first), of: Number(second) };
  if (first !== undefined && shard.index >= 1 && shard.index <= shard.of && shard.of <= MAX_SHARDS) return shard;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `--shard takes i/n, such as 1/4, with i from 1 to n, but got "${given}".`,
  });
}

export function shardOf<T>(all: readonly T[], { index, of }: Shard): T[] {
  const part = all.filter((_, at) => at % of === index - 1);
  if (part.length > 0) return part;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `The shard ${index}/${of} has no task: there are ${all.length} in all. Nothing was run.`,
    hint: 'Use at most as many shards as there are tasks.',
  });
}

/** The whole again, in its order: the first of each part, then the second of each. */
export function mergeShards<T>(parts: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...parts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => parts.flatMap((part) => part.slice(at, at + 1))).flat();
}
