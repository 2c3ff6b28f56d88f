/** Runs in folders as rows of the list of all runs. */
import type { IndexedFolder } from '../live/folder-index.ts';
import {
  type AnyRun,
  type AnyRunFilter,
  type AnyRunSort,
  compareRows,
  type SortedRun,
  type SortValue,
} from './any-run.ts';

/** Who stops a run cancels what is left of it, as with a run of workers. */
function stateOf({ state, counts }: IndexedFolder): AnyRun['state'] {
  if (state !== 'ended') return state;
  return (counts?.left ?? 0) > 0 ? 'cancelled' : 'completed';
}

export function folderRun(entry: IndexedFolder): AnyRun {
  const { id, kind, suite, suiteHash, variant, model, experiment, planned, counts, startedAt, endedAt } = entry;
  return {
    id,
    place: 'folder',
    kind,
    label: '',
    suite: { id: null, name: suite, hash: suiteHash },
    variant: { id: null, name: variant },
    model,
    experiment,
    tags: [],
    state: stateOf(entry),
    scoring: null,
    problem: problemOf(entry),
    planned,
    done: counts?.done ?? null,
    passed: counts?.passed ?? null,
    counted: counts?.counted ?? null,
    inputTokens: null,
    outputTokens: null,
    costUsd: null,
    createdAt: startedAt,
    endedAt,
  };
}

/** What the agent did not manage is a result; what kept it from having one needs attention. */
function problemOf({ state, counts, planned, kind }: IndexedFolder): string | null {
  if (state === 'running') return null;
  if (state === 'stopped') return 'The process that wrote it was killed before the run had ended.';
  if (!counts) return null;
  if (counts.faults > 0)
    return kind === 'agent'
      ? `${counts.faults} of ${planned} ended by a fault that was not the agent’s.`
      : `${counts.faults} of ${planned} ended with an error.`;
  const left = counts.counted - counts.done;
  return left > 0 ? `${left} of ${planned} ${left === 1 ? 'has' : 'have'} not finished.` : null;
}

export function filterFolderRuns(runs: readonly AnyRun[], filter: AnyRunFilter): AnyRun[] {
  const words = filter.search?.trim().toLowerCase() ?? '';
  return runs.filter(
    (run) =>
      (filter.kind === undefined || run.kind === filter.kind) &&
      (filter.state === undefined || run.state === filter.state) &&
      (filter.suite === undefined || run.suite.name === filter.suite) &&
      (filter.variant === undefined || run.variant.name === filter.variant) &&
      (filter.experiment === undefined || run.experiment === filter.experiment) &&
      // Neither is known of a folder.
      filter.scoring === undefined &&
      filter.tag === undefined &&
      (!filter.attention || run.problem !== null) &&
      (words === '' || textsOf(run).some((text) => text.includes(words)) || run.id.startsWith(words)),
  );
}

function textsOf({ suite, variant, model, experiment }: AnyRun): string[] {
  return [suite.name, variant.name, model ?? '', experiment ?? ''].map((text) => text.toLowerCase());
}

export function sortFolderRuns(
  runs: readonly AnyRun[],
  { sort, order }: { sort: AnyRunSort; order: 'asc' | 'desc' },
): SortedRun[] {
  return runs
    .map((run) => ({ run, value: VALUES[sort](run) }))
    .sort((a, b) => compareRows({ value: a.value, id: a.run.id }, { value: b.value, id: b.run.id }, order));
}

/** As stored-runs.ts has them of rows. */
const VALUES: Readonly<Record<AnyRunSort, (run: AnyRun) => SortValue>> = {
  created: ({ createdAt }) => Date.parse(createdAt),
  label: () => null,
  suite: ({ suite }) => suite.name.toLowerCase() || null,
  variant: ({ variant }) => variant.name.toLowerCase() || null,
  model: ({ model }) => model?.toLowerCase() ?? null,
  rate: ({ passed, counted }) => (passed === null || !counted ? null : passed / counted),
  items: ({ planned }) => planned,
  cost: ({ costUsd }) => costUsd,
};
