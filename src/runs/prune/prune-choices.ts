/** Which runs are no longer needed. */
import type { OutcomeClass } from '../../metrics/index.ts';
import type { References } from './references.ts';

export interface PruneChoices {
  /** Only runs that were made before so long. */
  readonly olderThanMs?: number | undefined;
  /** So many of the newest stay, whatever else is said. */
  readonly keep?: number | undefined;
  /** Only runs whose episodes all ended as one of these. */
  readonly classes?: readonly OutcomeClass[] | undefined;
  /** Comparisons and baselines: a run that one of them names stays. */
  readonly references: References;
  /** Nothing is removed; what would be is told. */
  readonly isTrial?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A run as far as the choice needs to know it. */
export interface PrunableRun {
  readonly runId: string;
  readonly createdAt: number;
  /** Why it can't be removed now, whatever was chosen: it is being executed. */
  readonly busy?: string | undefined;
}

export interface Pruned {
  readonly removed: string[];
  /** Runs that were to go but for this. */
  readonly kept: { readonly runId: string; readonly why: string }[];
}

/** @param runs newest first. */
export async function prune<R extends PrunableRun>(
  runs: readonly R[],
  { olderThanMs, keep = 0, classes, references, isTrial, now }: PruneChoices,
  { classesOf, remove }: { classesOf: (run: R) => Promise<readonly OutcomeClass[]>; remove: (run: R) => Promise<void> },
): Promise<Pruned> {
  const pruned: Pruned = { removed: [], kept: [] };
  for (const run of runs.slice(keep)) {
    const { runId, createdAt, busy } = run;
    if (olderThanMs !== undefined && createdAt > now - olderThanMs) continue;
    // What is being executed has no classes yet.
    if (classes && busy === undefined && !(await classesOf(run)).every((one) => classes.includes(one))) continue;
    const named = references.fileThatNames(runId);
    const why = busy ?? (named === undefined ? undefined : `${named} refers to it`);
    if (why !== undefined) {
      pruned.kept.push({ runId, why });
      continue;
    }
    if (!isTrial) await remove(run);
    pruned.removed.push(runId);
  }
  return pruned;
}
